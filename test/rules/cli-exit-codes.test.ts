import { describe, expect, it } from 'vitest'
import { FAILURE_TYPES } from '../../src/contracts/failures.js'
import { exitCodeOfFailure, exitCodeOfRun } from '../../src/rules/cli-exit-codes.js'

describe('exitCodeOfRun', () => {
  it.each([
    ['completed', 'report_ready', 0],
    ['completed', 'duplicate', 1],
    ['completed', 'not_a_bug', 1],
    ['completed', 'reproduce_failed', 1],
    ['aborted', 'aborted', 1],
    ['canceled', 'canceled', 1],
    ['failed', 'error', 3],
    ['budget_exhausted', 'budget_exhausted', 3],
  ] as const)('a run that ended as %s with %s exits %i', (status, verdict, code) => {
    expect(exitCodeOfRun({ status, verdict })).toBe(code)
  })

  it('never takes a good word for a good end when the run failed', () => {
    expect(exitCodeOfRun({ status: 'failed', verdict: 'report_ready' })).toBe(3)
  })
})

describe('exitCodeOfFailure', () => {
  it('is the user’s mistake for contracts and incomplete cases, and the engine’s for everything else', () => {
    const mistakes = FAILURE_TYPES.filter((type) => exitCodeOfFailure(type) === 2)
    expect(mistakes).toEqual(['Contract.Violated', 'Case.Incomplete'])
    const others = FAILURE_TYPES.filter((type) => !mistakes.includes(type))
    expect(new Set(others.map((type) => exitCodeOfFailure(type)))).toEqual(new Set([3]))
    expect(exitCodeOfFailure('SomethingNew')).toBe(3)
  })
})
