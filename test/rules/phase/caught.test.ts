import { expect, it } from 'vitest'
import type { CaughtMistake } from '../../../src/contracts/phase-task.js'
import { catchMistake, caughtIn } from '../../../src/rules/phase/caught.js'
import { someOutline, someSnapshot } from '../../support/phase-tasks.js'

it('the last ten mistakes are kept, each in 200 characters at most', () => {
  let caught: CaughtMistake[] = []
  for (let at = 1; at <= 12; at++) caught = catchMistake(caught, 'develop', `${at} ${'x'.repeat(300)}`)
  expect(caught.map(({ what }) => [Number.parseInt(what, 10), what.length])).toEqual(
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((at) => [at, 200]),
  )
})

it("a run's are the plan's, then each task's, in their order; a task that never began has none", () => {
  const plan = [{ phase: 'plan', what: 'a cycle' }] as const
  const caught = [
    { phase: 'tdd', what: 'pass at once' },
    { phase: 'accept', what: 'a blocker' },
  ] as const
  const tasks = [
    { outline: someOutline(1), snapshot: null },
    { outline: someOutline(2), snapshot: someSnapshot({ caught: [...caught] }) },
  ]
  expect(caughtIn(plan, tasks)).toEqual([
    { task: null, phase: 'plan', what: 'a cycle' },
    { task: 'TASK-002', phase: 'tdd', what: 'pass at once' },
    { task: 'TASK-002', phase: 'accept', what: 'a blocker' },
  ])
})

it('a run tells of a hundred at most', () => {
  const ten = Array.from({ length: 10 }, () => ({ phase: 'tdd' as const, what: 'x' }))
  const tasks = Array.from({ length: 20 }, (_, at) => ({
    outline: someOutline(at + 1),
    snapshot: someSnapshot({ caught: ten }),
  }))
  expect(caughtIn([], tasks)).toHaveLength(100)
})
