import { describe, expect, it } from 'vitest'
import { type PhaseVerdict, phaseVerdict, type RunFacts } from '../../../src/rules/phase/run-verdict.js'

const verdict = (tasks: RunFacts['tasks'], more: Partial<RunFacts> = {}) =>
  phaseVerdict({ tasks, overallStatus: 'pass', refused: null, ...more })

describe('the verdict of a run', () => {
  it.each<[RunFacts['tasks'], Partial<RunFacts>, PhaseVerdict]>([
    [['completed', 'completed'], {}, 'accepted'],
    [['completed'], { overallStatus: null }, 'accepted'],
    [['completed', 'blocked'], {}, 'partly'],
    [['completed', 'skipped'], {}, 'partly'],
    [['completed', 'not_started'], {}, 'partly'],
    [['completed', 'failed'], {}, 'partly'],
    [['blocked', 'not_started'], { overallStatus: null }, 'blocked'],
    [['failed', 'skipped'], { overallStatus: null }, 'blocked'],
    [['skipped', 'not_started'], { overallStatus: null }, 'skipped'],
    [['completed'], { overallStatus: 'fail' }, 'gates_failed'],
    [['completed', 'blocked'], { overallStatus: 'fail' }, 'gates_failed'],
    [['completed'], { overallStatus: 'unverified' }, 'unverified'],
    [[], { overallStatus: null }, 'no_plan'],
    [[], { overallStatus: null, refused: 'plan' }, 'not_approved'],
    [['completed'], { refused: 'merge' }, 'not_approved'],
  ])('of %j with %j is %s', (tasks, more, expected) => {
    expect(verdict(tasks, more).verdict).toBe(expected)
  })

  it('says how many tasks came to which end', () => {
    expect(verdict(['completed', 'blocked', 'not_started', 'not_started']).reason).toBe(
      '1 of 4 tasks completed, 1 blocked, 2 not started',
    )
    expect(verdict(['completed']).reason).toBe('1 of 1 tasks completed; the gates pass on the merged result')
    expect(verdict(['completed'], { overallStatus: null }).reason).toBe('1 of 1 tasks completed; no file was changed')
    expect(verdict([], { refused: 'plan' }).reason).toBe('the plan was not approved')
  })

  it('is good only when every task is completed and no gate is left open', () => {
    const ends = ['completed', 'blocked', 'skipped', 'failed', 'not_started'] as const
    for (const one of ends)
      for (const other of ends)
        for (const overallStatus of ['pass', 'fail', 'unverified'] as const) {
          const isGood = one === 'completed' && other === 'completed' && overallStatus === 'pass'
          expect(verdict([one, other], { overallStatus }).verdict === 'accepted').toBe(isGood)
        }
  })
})
