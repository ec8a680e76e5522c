import type { TestGate, TestOutcome } from '../contracts/quality.js'

/** One test as a runner's report tells it. `collection`: a file of tests that could not be loaded, so nothing in it ran. */
export interface TestCase {
  name: string
  file: string | null
  status: 'passed' | 'failed' | 'skipped'
  kind: 'assertion' | 'error' | 'collection' | null
  /** The first line of why it failed. */
  message: string
}

/** What a report says, the same for every format. */
export interface TestReport {
  cases: readonly TestCase[]
  /** Why the report contradicts itself or ends before its end; null when it does not. */
  flaw: string | null
}

/** How the command that wrote the report ended. */
export interface TestEnd {
  exitCode: number | null
  /** Why it did not end by itself, as half a sentence; null when it did. */
  stopped: string | null
}

type Judged = Pick<TestGate, 'status' | 'outcome' | 'passed' | 'failed' | 'skipped' | 'failures' | 'details'>

/**
 * Tells "passed", "failed", "do not collect" and "no tests" apart by the report; the exit code must agree, in both directions.
 * Tests that were all skipped are no tests.
 */
export function judgeTests(report: TestReport, end: TestEnd): Judged {
  const { cases } = report
  const failures = cases.filter((each) => each.status === 'failed')
  const broken = failures.filter((each) => each.kind === 'collection')
  const counts = {
    passed: cases.filter((each) => each.status === 'passed').length,
    failed: failures.length - broken.length,
    skipped: cases.filter((each) => each.status === 'skipped').length,
  }
  const [outcome, details] = outcomeOf({ ...counts, broken, flaw: report.flaw }, end)
  const status = outcome === 'passed' ? 'pass' : 'fail'
  return { ...counts, status, outcome, details, failures: failures.slice(0, keptFailures).map(failureOf) }
}

interface Seen extends Pick<Judged, 'passed' | 'failed' | 'skipped'> {
  broken: readonly TestCase[]
  flaw: string | null
}

function outcomeOf(seen: Seen, { stopped, exitCode }: TestEnd): [TestOutcome, string] {
  const { broken, flaw } = seen
  const sum = sumOf(seen)
  if (stopped !== null) return ['unmeasured', `${stopped}; ${toldUntilThen(seen)}`]
  const killed = exitCode === null ? ', and the command was killed' : ''
  if (flaw !== null) return ['unmeasured', `the report cannot be relied on: ${flaw}${killed}`]
  if (broken[0] !== undefined)
    return ['not_collected', `${broken.length} test files do not load (${broken[0].name}); ${sum}`]
  const ending = exitCode === null ? 'a signal' : `exit code ${exitCode}`
  if (seen.failed > 0) return ['failed', exitCode === 0 ? `${sum}, though the command ended with ${ending}` : sum]
  if (seen.passed === 0) return ['no_tests', `no tests ran (${sum})`]
  return exitCode === 0 ? ['passed', sum] : ['unmeasured', `${sum} by the report, but the command ended with ${ending}`]
}

/** Many runners write their report at the end: one that tells of no test does not say that none ran. */
function toldUntilThen(seen: Seen): string {
  const { passed, failed, skipped, broken, flaw } = seen
  const isSilent = passed + failed + skipped + broken.length === 0
  return isSilent && flaw !== null ? `its report tells of no test (${flaw})` : `until then ${sumOf(seen)}`
}

function sumOf({ passed, failed, skipped }: Seen): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

const keptFailures = 50

function failureOf({ name, file, kind, message }: TestCase): TestGate['failures'][number] {
  return { name, file, kind: kind ?? 'error', message: message.slice(0, 500) }
}

/** True for what assertion libraries throw, by the first line of a failure. */
export function isAssertion(message: string): boolean {
  return /^(?:[\w.$]*Assert\w*(?:Error|Exception|ion)?\b|Error: expect\(|assert\b)/i.test(message.trimStart())
}
