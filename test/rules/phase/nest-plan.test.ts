import { describe, expect, it } from 'vitest'
import { nestedPlanFaults, nestPlan } from '../../../src/rules/phase/nest-plan.js'
import { planFaults } from '../../../src/rules/phase/plan-faults.js'
import { someTask } from '../../support/phase-tasks.js'

describe("a planner's task within a plan", () => {
  const planner = someTask(2, { agentType: 'planner', dependencies: ['TASK-001'] })
  const tasks = [someTask(1), planner, someTask(3, { dependencies: ['TASK-002'] }), someTask(7)]
  const nested = [someTask(1, { title: 'a' }), someTask(2, { title: 'b', dependencies: ['TASK-001'] })]

  it('is followed by the tasks it made, under free ids, and whoever waited for it waits for them', () => {
    const all = nestPlan(tasks, planner, nested)
    expect(all.map(({ id, dependencies }) => [id, dependencies])).toEqual([
      ['TASK-001', []],
      ['TASK-002', ['TASK-001']],
      ['TASK-003', ['TASK-002', 'TASK-008', 'TASK-009']],
      ['TASK-007', []],
      ['TASK-008', ['TASK-002']],
      ['TASK-009', ['TASK-002', 'TASK-008']],
    ])
    expect(planFaults(all)).toEqual([])
  })

  it('may not plan planning, nor more than a run can hold', () => {
    expect(nestedPlanFaults(4, nested)).toEqual([])
    expect(nestedPlanFaults(98, nested)).toEqual([])
    expect(nestedPlanFaults(99, nested)).toEqual(['With these the run would have 101 tasks: expected at most 100.'])
    expect(nestedPlanFaults(1, [planner])).toEqual([
      "TASK-002 is a planner's task within a planner's task: expected tasks that do the work.",
    ])
  })
})
