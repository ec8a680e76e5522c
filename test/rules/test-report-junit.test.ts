import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readJunitReport } from '../../src/rules/test-report-junit.js'

const recorded = readFileSync(new URL('../fixtures/gates/pytest.xml', import.meta.url), 'utf8')

describe('JUnit XML', () => {
  it('of pytest tells assertions, errors, skips and files that do not import apart', () => {
    const { cases, flaw } = readJunitReport(recorded)
    expect(flaw).toBeNull()
    expect(cases.map((each) => [each.name, each.status, each.kind])).toEqual([
      ['test_b', 'failed', 'collection'],
      ['test_c', 'failed', 'collection'],
      ['test_a > test_bad', 'failed', 'assertion'],
      ['test_a > test_ok', 'passed', null],
      ['test_a > test_type', 'failed', 'error'],
      ['test_a > test_skip', 'skipped', null],
      ['test_a > test_xf', 'skipped', null],
      ['test_a > test_fix', 'failed', 'error'],
    ])
    expect(cases[0]?.message).toBe("ModuleNotFoundError: No module named 'nope'")
    expect(cases[1]?.message).toBe('SyntaxError: invalid syntax')
    expect(cases[2]?.message).toBe('assert 1 == 2')
  })

  it('of other runners nests suites and names the type of what was thrown', () => {
    const xml = `<?xml version="1.0"?><testsuites><testsuite tests="2"><testsuite tests="2">
      <testcase classname="a.B" name="c"><failure type="org.opentest4j.AssertionFailedError">x</failure></testcase>
      <testcase classname="a.B" name="d"><system-out><![CDATA[<testcase name="fake"/>]]></system-out></testcase>
    </testsuite></testsuite></testsuites>`
    const { cases, flaw } = readJunitReport(xml)
    expect(flaw).toBeNull()
    expect(cases.map((each) => [each.name, each.status, each.kind])).toEqual([
      ['a.B > c', 'failed', 'assertion'],
      ['a.B > d', 'passed', null],
    ])
  })

  it('of mocha writes the stack below the message', () => {
    const failure = (text: string) => `<testcase classname="c" name="n" time="0"><failure>${text}</failure></testcase>`
    const stacks = [
      'Expected values to be strictly equal:\n\n1 !== 2\n\nAssertionError [ERR_ASSERTION]: Expected values\n    at x.js:1:1',
      'x is not a function\nTypeError: x is not a function\n    at AssertionError (x.js:1:1)\n    AssertionError: no',
    ]
    const xml = `<testsuite name="Mocha Tests" tests="2" failures="0" errors="2">${stacks.map(failure).join('')}</testsuite>`
    expect(readJunitReport(xml).cases.map(({ kind, message }) => [kind, message])).toEqual([
      ['assertion', 'Expected values to be strictly equal:'],
      ['error', 'x is not a function'],
    ])
  })

  it('has a flaw when it lists more tests than it counts', () => {
    const xml = '<testsuite tests="1"><testcase name="a"/><testcase name="fake"/></testsuite>'
    expect(readJunitReport(xml).flaw).toBe('it counts 1 tests and lists 2')
  })

  it.each([
    ['is cut short', '<testsuite tests="2"><testcase name="a"/>'],
    ['ends within a tag', '<testsuite tests="2"><testcase name="a'],
    ['is something else', '<html></html>'],
    ['is empty', ''],
    ['has a second document behind it', '<testsuite/><testsuite/>'],
    ['closes what was not open', '<testsuite></testcase></testsuite>'],
  ])('that %s is refused', (_, xml) => {
    expect(() => readJunitReport(xml)).toThrow()
  })
})
