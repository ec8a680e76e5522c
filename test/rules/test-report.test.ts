import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeTests, type TestCase } from '../../src/rules/test-report.js'

const test = (status: TestCase['status'], kind: TestCase['kind'] = null): TestCase => ({
  name: 't',
  file: 'f',
  status,
  kind,
  message: '',
})
const good = test('passed')
const bad = test('failed', 'assertion')
const broken = test('failed', 'collection')
const idle = test('skipped')

describe('how tests ended', () => {
  it.each<[cases: TestCase[], exitCode: number | null, outcome: string, status: string]>([
    [[good], 0, 'passed', 'pass'],
    [[good, idle], 0, 'passed', 'pass'],
    [[good], 1, 'unmeasured', 'fail'],
    [[good], null, 'unmeasured', 'fail'],
    [[], 0, 'no_tests', 'fail'],
    [[], 1, 'no_tests', 'fail'],
    [[idle], 0, 'no_tests', 'fail'],
    [[good, bad], 1, 'failed', 'fail'],
    [[good, bad], 0, 'failed', 'fail'],
    [[test('failed', 'error')], 1, 'failed', 'fail'],
    [[broken], 1, 'not_collected', 'fail'],
    [[good, bad, broken], 1, 'not_collected', 'fail'],
  ])('is told by the report, and the exit code must agree: case %#', (cases, exitCode, outcome, status) => {
    expect(judgeTests({ cases, flaw: null }, { exitCode, stopped: null })).toMatchObject({ outcome, status })
  })

  it('is unmeasured when the report has a flaw or the command was stopped', () => {
    expect(judgeTests({ cases: [good], flaw: 'odd' }, { exitCode: 0, stopped: null })).toMatchObject({
      status: 'fail',
      outcome: 'unmeasured',
      details: 'the report cannot be relied on: odd',
    })
    const killed = judgeTests({ cases: [good], flaw: 'cut short' }, { exitCode: null, stopped: null })
    expect(killed.details).toBe('the report cannot be relied on: cut short, and the command was killed')
    expect(judgeTests({ cases: [good], flaw: null }, { exitCode: 0, stopped: 'it was stopped' })).toMatchObject({
      status: 'fail',
      outcome: 'unmeasured',
      details: 'it was stopped; until then 1 passed, 0 failed',
    })
    const silent = judgeTests({ cases: [], flaw: 'cut short' }, { exitCode: null, stopped: 'it was stopped' })
    expect(silent.details).toBe('it was stopped; its report tells of no test (cut short)')
  })

  it('says when a command hides a failure behind exit code 0', () => {
    const { details } = judgeTests({ cases: [bad], flaw: null }, { exitCode: 0, stopped: null })
    expect(details).toBe('0 passed, 1 failed, though the command ended with exit code 0')
  })

  it('passes only with a test that passed, none that failed, exit code 0 and nothing odd', () => {
    const cases = fc.array(fc.constantFrom(good, bad, broken, idle, test('failed', 'error')))
    const ends = fc.record({ exitCode: fc.constantFrom(0, 1, null), stopped: fc.constantFrom(null, 'stopped') })
    fc.assert(
      fc.property(cases, ends, fc.constantFrom(null, 'odd'), (some, end, flaw) => {
        const isGood = some.includes(good) && some.every((each) => each.status !== 'failed') && end.exitCode === 0
        const { status, passed, failed, skipped, failures } = judgeTests({ cases: some, flaw }, end)
        expect(status === 'pass').toBe(isGood && end.stopped === null && flaw === null)
        expect(passed + failed + skipped + some.filter((each) => each === broken).length).toBe(some.length)
        expect(failures.length).toBeLessThanOrEqual(50)
      }),
    )
  })
})
