import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Plan, type Task } from '../../../src/contracts/phase.js'
import { findCycle } from '../../../src/rules/phase/find-cycle.js'
import { MAX_TASKS, planFaults } from '../../../src/rules/phase/plan-faults.js'
import { someTask } from '../../support/phase-tasks.js'

const plan = (...tasks: Partial<Task>[]) => tasks.map((task, index) => someTask(index + 1, task))

describe('a plan', () => {
  it('without faults is taken', () => {
    const good = plan(
      {},
      { dependencies: ['TASK-001'], priority: 1 },
      { dependencies: ['TASK-001', 'TASK-002'], priority: 10 },
    )
    expect(planFaults(good)).toEqual([])
    expect(Plan.safeParse(good).success).toBe(true)
  })

  it.each<[string, Partial<Task>, string]>([
    ['TASK-1', { id: 'TASK-1' }, 'Task 1 has the id "TASK-1": expected TASK-NNN, three digits.'],
    ['four digits', { id: 'TASK-0001' }, 'Task 1 has the id "TASK-0001": expected TASK-NNN, three digits.'],
    ['lower case', { id: 'task-001' }, 'Task 1 has the id "task-001": expected TASK-NNN, three digits.'],
    ['no title', { title: ' ' }, 'TASK-001 has no title.'],
    ['51 characters', { title: 'é'.repeat(51) }, 'The title of TASK-001 has 51 characters: expected at most 50.'],
    ['priority 0', { priority: 0 }, 'The priority of TASK-001 is 0: expected a whole number from 1 to 10.'],
    ['priority 11', { priority: 11 }, 'The priority of TASK-001 is 11: expected a whole number from 1 to 10.'],
    ['priority 5.5', { priority: 5.5 }, 'The priority of TASK-001 is 5.5: expected a whole number from 1 to 10.'],
    [
      'an unknown dependency',
      { dependencies: ['TASK-009'] },
      'TASK-001 depends on TASK-009, which is not in the plan.',
    ],
    ['itself', { dependencies: ['TASK-001'] }, 'The dependencies form a cycle: TASK-001 → TASK-001.'],
    [
      'a file outside',
      { artifacts: ['../x.ts'] },
      'TASK-001 expects the file "../x.ts": expected a relative path within the repository.',
    ],
    [
      'an absolute file',
      { artifacts: ['/etc/passwd'] },
      'TASK-001 expects the file "/etc/passwd": expected a relative path within the repository.',
    ],
  ])('is refused for %s', (_, task, sentence) => {
    expect(planFaults(plan(task))).toEqual([sentence])
  })

  it.each([1, 50])('takes a title of %i characters', (length) => {
    expect(planFaults(plan({ title: '𝒳'.repeat(length) }))).toEqual([])
  })

  it('has tasks of a size that can travel', () => {
    const [fault] = planFaults(plan({ description: 'é'.repeat(6_000) }))
    expect(fault).toMatch(/^TASK-001 is 12\d\d\d bytes long: expected at most 12000/)
    expect(planFaults(plan({ description: 'é'.repeat(5_800) }))).toEqual([])
  })

  it('names every fault at once, and the cycle by its path', () => {
    const faults = planFaults(
      plan({ dependencies: ['TASK-002'], priority: 0 }, { dependencies: ['TASK-003'] }, { dependencies: ['TASK-001'] }),
    )
    expect(faults).toEqual([
      'The priority of TASK-001 is 0: expected a whole number from 1 to 10.',
      'The dependencies form a cycle: TASK-001 → TASK-002 → TASK-003 → TASK-001.',
    ])
  })

  it('says how many tasks share an id', () => {
    expect(planFaults(plan({}, { id: 'TASK-001' }, { id: 'TASK-001' }))).toEqual([
      'TASK-001 is the id of 3 tasks: expected one.',
    ])
  })

  it('has at least one task and at most a hundred', () => {
    expect(planFaults([])).toEqual(['The plan is empty: expected at least one task.'])
    const many = Array.from({ length: MAX_TASKS + 1 }, (_, index) => someTask(index + 1))
    expect(planFaults(many.slice(1))).toEqual([])
    expect(planFaults(many)).toEqual([`The plan has ${MAX_TASKS + 1} tasks: expected at most ${MAX_TASKS}.`])
  })

  it('tells its contract every sentence', () => {
    const { error } = Plan.safeParse(plan({ priority: 0 }, { title: '' }))
    expect(error?.issues.map(({ message }) => message)).toEqual(planFaults(plan({ priority: 0 }, { title: '' })))
  })
})

describe('a cycle', () => {
  const graph = fc
    .array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 1, maxLength: 10 })
    .map((rows) => new Map(rows.map((row, index) => [`${index}`, row.map(String)])))

  it('is found exactly when the tasks have no order, and is a real path', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const cycle = findCycle(edges)
        expect(cycle === null).toBe(hasOrder(edges))
        const steps = (cycle ?? []).slice(1).map((to, index) => [cycle?.[index] ?? '', to] as const)
        for (const [from, to] of steps) expect(edges.get(from)).toContain(to)
        expect(cycle?.at(0)).toBe(cycle?.at(-1))
      }),
    )
  })

  it('is looked for in a chain of any length', () => {
    const chain = new Map(Array.from({ length: 3_000 }, (_, index) => [`${index}`, [`${index + 1}`]]))
    expect(findCycle(chain)).toBeNull()
  })
})

/** Written another way: take away what depends on nothing, until nothing is left. */
function hasOrder(edges: ReadonlyMap<string, readonly string[]>): boolean {
  const left = new Map(edges)
  for (let taken = true; taken;) {
    taken = false
    for (const [id, needs] of left)
      if (!needs.some((each) => left.has(each))) {
        left.delete(id)
        taken = true
      }
  }
  return left.size === 0
}
