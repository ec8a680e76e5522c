import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readTapReport } from '../../src/rules/test-report-tap.js'
import { judgeTests } from '../../src/rules/test-report.js'

const recorded = readFileSync(new URL('../fixtures/gates/node.tap', import.meta.url), 'utf8')

describe("TAP of Node's test runner", () => {
  it('is read test by test, with suites, files and expected failures told apart', () => {
    const { cases, flaw } = readTapReport(recorded)
    expect(flaw).toBeNull()
    expect(cases.map((each) => [each.name, each.status, each.kind])).toEqual([
      ['adds <b> "q"\\n# x', 'failed', 'assertion'],
      ['ok', 'passed', null],
      ['skip', 'skipped', null],
      ['todo', 'skipped', null],
      ['type', 'failed', 'error'],
      ['sub > inner ok', 'passed', null],
      ['sub > inner bad', 'failed', 'assertion'],
      ['/project/b.test.mjs', 'failed', 'collection'],
      ['/project/c.test.mjs', 'failed', 'collection'],
      ['s > x', 'passed', null],
      ['hook > y', 'failed', 'error'],
      ['hook', 'failed', 'error'],
    ])
    expect(cases[0]).toMatchObject({ file: '/project/a.test.mjs', message: '1 == 2' })
  })

  it('of tape is read assertion by assertion, by the names of their tests', () => {
    const tape = readFileSync(new URL('../fixtures/gates/tape.tap', import.meta.url), 'utf8')
    const { cases, flaw } = readTapReport(tape)
    expect(flaw).toBeNull()
    expect(cases.map((each) => [each.name, each.status, each.kind, each.file, each.message])).toEqual([
      ['adds > should be strictly equal', 'passed', null, null, ''],
      ['adds > should be strictly equal (2)', 'failed', 'assertion', '/project/a.js', 'equal: expected 3, got 2'],
      ['adds > the same shape', 'failed', 'assertion', '/project/a.js', 'deepEqual: expected { a: 2 }, got { a: 1 }'],
      ['has one assertion skipped > not here', 'skipped', null, null, ''],
      [
        'has one assertion skipped > throws',
        'failed',
        'assertion',
        '/project/a.js',
        'throws: expected /x/, got undefined',
      ],
      ['has one assertion skipped > null', 'passed', null, null, ''],
    ])
    expect(readTapReport(tape.replace(/\n1\.\.6[^]*/, '')).flaw).toMatch(/no plan/)
    const hidden = tape.replaceAll(/^not ok/gm, 'ok')
    expect(readTapReport(hidden).flaw).toMatch(/counts 3 failures, lists none/)
  })

  it('of mocha is read with what was thrown', () => {
    const mocha = readFileSync(new URL('../fixtures/gates/mocha.tap', import.meta.url), 'utf8')
    const { cases, flaw } = readTapReport(mocha)
    expect(flaw).toBeNull()
    expect(cases.map((each) => [each.name, each.status, each.kind, each.message])).toEqual([
      ['add adds', 'passed', null, ''],
      ['add carries', 'failed', 'assertion', 'Expected values to be strictly deep-equal:'],
      ['add throws', 'failed', 'error', 'no number'],
      ['add is skipped', 'skipped', null, ''],
      ['add is pending', 'skipped', null, ''],
    ])
  })

  it('does not count a file without tests as a test that passed, as Node does', () => {
    const tap = 'TAP version 13\n# Subtest: /p/d.test.mjs\nok 1 - /p/d.test.mjs\n1..1\n# pass 1\n# fail 0\n'
    expect(judgeTests(readTapReport(tap), { exitCode: 0, stopped: null })).toMatchObject({ outcome: 'no_tests' })
  })

  it.each([
    ['what a test prints', '# ok 7 - fake\n# 1..9'],
    ['the text of an error', "  ---\n  error: |-\n    boom\n    ok 2 - fake\n  code: 'ERR'\n  ..."],
  ])('is not fooled by %s', (_, text) => {
    const { cases, flaw } = readTapReport(`TAP version 13\nok 1 - real\n${text}\n1..1\n`)
    expect(cases.map((each) => each.name)).toEqual(['real'])
    expect(flaw).toBeNull()
  })

  it.each([
    ['lost its end', 'TAP version 13\nok 1 - a\n', /no plan/],
    ['lost a test', 'ok 1 - a\n1..2\n', /plans 2 tests and lists 1/],
    ['was added to', 'ok 1 - a\n1..1\nok 2 - fake\n', /plans 1 tests and lists 2/],
    ['has a second plan', 'ok 1 - a\n1..1\nok 2 - b\n1..2\n', /more than one plan/],
    ['counts failures it does not list', 'ok 1 - a\n1..1\n# fail 1\n', /counts 1 failures, lists none/],
  ])('has a flaw when it %s', (_, text, flaw) => {
    expect(readTapReport(text).flaw).toMatch(flaw)
  })
})
