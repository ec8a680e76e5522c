import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readyTasks, type Scheduled, stuckTasks } from '../../../src/rules/phase/ready-tasks.js'
import { TASK_STATUSES } from '../../../src/rules/phase/words.js'
import { taskId } from '../../support/phase-tasks.js'

const tasks = (...rows: Partial<Scheduled>[]): Scheduled[] =>
  rows.map((row, index) => ({
    id: taskId(index + 1),
    dependencies: [],
    priority: 5,
    isolation: 'worktree',
    status: 'pending',
    ...row,
  }))

describe('the tasks to start', () => {
  it('are those of highest priority, ties in the order of the plan', () => {
    const all = tasks({ priority: 1 }, { priority: 9 }, { priority: 9 }, { priority: 10 })
    expect(readyTasks(all, 3)).toEqual(['TASK-004', 'TASK-002', 'TASK-003'])
  })

  it('never are more than fit beside those at work', () => {
    const all = tasks({ status: 'in_progress' }, { status: 'verify' }, {}, {})
    expect(readyTasks(all, 3)).toEqual(['TASK-003'])
    expect(readyTasks(all, 2)).toEqual([])
  })

  it.each([
    'pending',
    'scheduled',
    'in_progress',
    'blocked',
    'waiting',
    'verify',
    'accept',
    'failed',
    'skipped',
  ] as const)('wait for a dependency that is %s', (status) => {
    expect(readyTasks(tasks({ status }, { dependencies: ['TASK-001'], priority: 10 }), 9)).not.toContain('TASK-002')
  })

  it('start when everything they depend on is completed', () => {
    expect(readyTasks(tasks({ status: 'completed' }, { dependencies: ['TASK-001'] }), 3)).toEqual(['TASK-002'])
  })

  it.each(['blocked', 'waiting'] as const)('are not held up by a task that is %s', (status) => {
    expect(readyTasks(tasks({ status, isolation: undefined }, { isolation: undefined }), 1)).toEqual(['TASK-002'])
  })

  it("work on the run's branch one at a time, beside those with a branch of their own", () => {
    const shared = { isolation: undefined }
    expect(readyTasks(tasks(shared, shared, {}), 3)).toEqual(['TASK-001', 'TASK-003'])
    expect(readyTasks(tasks({ ...shared, status: 'accept' }, shared, {}), 3)).toEqual(['TASK-003'])
    expect(readyTasks(tasks({ ...shared, priority: 1 }, { ...shared, priority: 9 }), 3)).toEqual(['TASK-002'])
  })

  it('keep every promise for any plan', () => {
    fc.assert(
      fc.property(somePlan, fc.integer({ min: 1, max: 16 }), (all, parallel) => {
        const active = all.filter(({ status }) => ['scheduled', 'in_progress', 'verify', 'accept'].includes(status))
        const started = readyTasks(all, parallel).map((id) => all.find((task) => task.id === id))
        expect(started.length).toBeLessThanOrEqual(Math.max(0, parallel - active.length))
        const shared = [...active, ...started].filter((task) => task?.isolation === undefined)
        expect(shared.length).toBeLessThanOrEqual(
          Math.max(1, active.filter((task) => task.isolation === undefined).length),
        )
        for (const task of started) expect(task?.status).toBe('pending')
      }),
    )
  })

  it('are always some, while nothing is at work and something can be done', () => {
    fc.assert(
      fc.property(somePlan, (plan) => {
        const all = plan.map((task) => ({
          ...task,
          status: task.status === 'completed' ? task.status : ('pending' as const),
        }))
        const isOver = all.every(({ status }) => status === 'completed')
        expect(readyTasks(all, 1).length).toBe(isOver ? 0 : 1)
      }),
    )
  })
})

const somePlan = fc
  .array(
    fc.record({
      needs: fc.array(fc.nat(20), { maxLength: 3 }),
      priority: fc.integer({ min: 1, max: 10 }),
      isolation: fc.constantFrom('worktree' as const, undefined),
      status: fc.constantFrom(...TASK_STATUSES),
    }),
    { maxLength: 12 },
  )
  .map((rows) =>
    rows.map(({ needs, ...row }, index): Scheduled => ({
      ...row,
      id: taskId(index + 1),
      dependencies: index === 0 ? [] : needs.map((each) => taskId((each % index) + 1)),
    })),
  )

describe('tasks that can never start', () => {
  it.each(['failed', 'skipped'] as const)('are those behind one that is %s, however far', (status) => {
    const all = tasks({ status }, { dependencies: ['TASK-001'] }, { dependencies: ['TASK-002'] }, {})
    expect([...stuckTasks(all)]).toEqual([
      ['TASK-002', 'TASK-001'],
      ['TASK-003', 'TASK-002'],
    ])
  })

  it('are found in whatever order the plan names them', () => {
    const all = tasks({ dependencies: ['TASK-002'] }, { dependencies: ['TASK-003'] }, { status: 'skipped' })
    expect([...stuckTasks(all).keys()].sort()).toEqual(['TASK-001', 'TASK-002'])
  })

  it('are those behind a task that stays blocked for good, and only then', () => {
    const all = tasks({ status: 'blocked' }, { dependencies: ['TASK-001'] })
    expect(stuckTasks(all).size).toBe(0)
    expect(stuckTasks(all, new Set(['TASK-001'])).size).toBe(1)
  })
})
