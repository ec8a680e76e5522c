import { readXml, type XmlElement } from './test-report-xml.js'
import { isAssertion, type TestCase, type TestReport } from './test-report.js'

/** JUnit XML as pytest and most other runners write it. Throws `Error` when it is none. */
export function readJunitReport(text: string): TestReport {
  const root = readXml(text)
  if (root.name !== 'testsuites' && root.name !== 'testsuite') throw new Error('expected testsuites or testsuite')
  const cases = elementsOf(root, 'testcase').map(caseOf)
  return { cases, flaw: disagreement(root, cases.length) }
}

function elementsOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : elementsOf(child, name)))
}

function caseOf(element: XmlElement): TestCase {
  const { classname = '', name = '', file = null } = element.attributes
  const full = { name: classname === '' ? name : `${classname} > ${name}`, file }
  const trouble = element.children.find((child) => child.name === 'failure' || child.name === 'error')
  const isSkipped = element.children.some((child) => child.name === 'skipped')
  // An expected failure carries both.
  if (isSkipped) return { ...full, status: 'skipped', kind: null, message: '' }
  if (trouble === undefined) return { ...full, status: 'passed', kind: null, message: '' }
  return { ...full, status: 'failed', ...troubleOf(trouble) }
}

function troubleOf({ name, attributes, text }: XmlElement): Pick<TestCase, 'kind' | 'message'> {
  const message = attributes['message'] ?? ''
  // pytest's words for a file that it could not import, and those of our own runner of unittest.
  if (name === 'error' && message === 'collection failure') return { kind: 'collection', message: reasonOf(text) }
  const isAsserted = [message, attributes['type'] ?? '', text].some(isAssertion) || thrownAssertion.test(text)
  const first = (message || text).trimStart().split('\n', 1)[0] ?? ''
  return { kind: name === 'failure' && isAsserted ? 'assertion' : 'error', message: first }
}

/** The stack that mocha writes below the message. At the margin: a traceback shows lines of source, too. */
const thrownAssertion = /^(?:[\w$]+\.)*AssertionError\b/m

/** pytest marks the lines of the error itself; elsewhere it stands at the end. */
function reasonOf(text: string): string {
  const [, marked] = [...text.matchAll(/^E\s+(\S.*)$/gm)].at(-1) ?? []
  return marked ?? text.trim().split('\n').at(-1) ?? ''
}

/** The counts of the suites, where they are told, must be those of the cases. */
function disagreement(root: XmlElement, listed: number): string | null {
  const suites = [root, ...root.children].filter((each) => each.name === 'testsuite' && each.attributes['tests'])
  const outer = root.name === 'testsuite' ? suites.slice(0, 1) : suites
  if (outer.length === 0 || root.children.some((each) => each.name === 'testcase' && root.name === 'testsuites'))
    return null
  const told = outer.reduce((sum, each) => sum + Number(each.attributes['tests']), 0)
  // pytest counts an error of the teardown as a test of its own in some versions, so more may be told than listed.
  return told < listed ? `it counts ${told} tests and lists ${listed}` : null
}
