import { isAssertion, type TestCase, type TestReport } from './test-report.js'

/** The JSON report of Jest (`--json`) and of Vitest (`--reporter=json`), which share a shape. Throws `Error` when it is none. */
export function readJestReport(text: string): TestReport {
  const report = objectOf(JSON.parse(text))
  const files = report['testResults']
  if (!Array.isArray(files)) throw new Error('expected testResults')
  const cases = files.flatMap((file) => casesOf(objectOf(file)))
  const ran = cases.filter((each) => each.kind !== 'collection')
  return { cases, flaw: disagreement(report, ran) }
}

function casesOf(file: Fields): TestCase[] {
  const path = textOf(file['name'])
  const results: unknown[] = Array.isArray(file['assertionResults']) ? file['assertionResults'] : []
  const cases = results.map((each) => caseOf(objectOf(each), path))
  const hasFailed = cases.some((each) => each.status === 'failed')
  if (file['status'] !== 'failed' || hasFailed) return cases
  // The file failed and no test of it did: it could not be loaded, or a hook of it broke.
  return [...cases, { name: path, file: path, status: 'failed', kind: 'collection', message: textOf(file['message']) }]
}

function caseOf(result: Fields, file: string): TestCase {
  const messages = Array.isArray(result['failureMessages']) ? result['failureMessages'] : []
  const message = textOf(messages[0]).split('\n', 1)[0] ?? ''
  const status = statusOf(textOf(result['status']))
  const kind = status !== 'failed' ? null : isAssertion(message) ? 'assertion' : 'error'
  return { name: textOf(result['fullName']).trim() || textOf(result['title']), file, status, kind, message }
}

/** 'pending', 'todo', 'skipped' and 'disabled' did not run. */
function statusOf(word: string): TestCase['status'] {
  return word === 'passed' || word === 'failed' ? word : 'skipped'
}

function disagreement(report: Fields, ran: readonly TestCase[]): string | null {
  const count = (status: TestCase['status']) => ran.filter((each) => each.status === status).length
  const told = [report['numPassedTests'], report['numFailedTests']]
  const seen = [count('passed'), count('failed')]
  if (told[0] === seen[0] && told[1] === seen[1]) return null
  return `it counts ${String(told[0])} passed and ${String(told[1])} failed, and lists ${seen[0]} and ${seen[1]}`
}

type Fields = Record<string, unknown>

function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) throw new Error('expected an object')
  return value as Fields
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
