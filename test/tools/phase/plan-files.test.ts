import { describe, expect, it } from 'vitest'
import { LoadedPlan } from '../../../src/contracts/phase-run.js'
import type { Task } from '../../../src/contracts/phase.js'
import { loadPlan, putNestedPlan, readTask } from '../../../src/tools/phase/plan-files.js'
import { memoryStore } from '../../support/memory-store.js'
import { someTask } from '../../support/phase-tasks.js'

const store = memoryStore()
const put = (tasks: unknown) => store.put('plan.json', JSON.stringify(tasks), 'application/json')

const load = async (tasks: readonly Task[], isolation: 'auto' | 'always' = 'auto') =>
  await loadPlan(store, { plan: await put(tasks), isolation })

describe('a plan in the store', () => {
  it('is kept, and outlined', async () => {
    const loaded = await load([
      someTask(1, { artifacts: ['package.json'], researchQuestion: 'How?' }),
      someTask(2, { dependencies: ['TASK-001', 'TASK-001'] }),
    ])
    expect(LoadedPlan.parse(loaded).tasks).toEqual([
      expect.objectContaining({ id: 'TASK-001', isolated: true, has_question: true, dependencies: [] }),
      expect.objectContaining({ id: 'TASK-002', isolated: false, has_question: false, dependencies: ['TASK-001'] }),
    ])
    expect(await readTask(store, { plan: loaded.plan, task: 'TASK-001' })).toMatchObject({ researchQuestion: 'How?' })
  })

  it('isolates every task where that was asked for', async () => {
    expect((await load([someTask(1)], 'always')).tasks[0]?.isolated).toBe(true)
  })

  it.each([
    ['no JSON', 'nonsense', /^plan: expected JSON/],
    ['no array', '{}', /^plan: \(document\): expected array/],
    ['an unknown agent type', JSON.stringify([{ ...someTask(1), agentType: 'boss' }]), /^plan: 0\.agentType: /],
    ['a cycle', JSON.stringify([someTask(1, { dependencies: ['TASK-001'] })]), /cycle: TASK-001 → TASK-001/],
  ])('that is %s is refused in one line', async (_, text, message) => {
    const plan = await store.put('plan.json', text, 'application/json')
    await expect(loadPlan(store, { plan, isolation: 'auto' })).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(message),
    })
  })

  it('has no task that is not in it', async () => {
    const { plan } = await load([someTask(1)])
    await expect(readTask(store, { plan, task: 'TASK-009' })).rejects.toMatchObject({ type: 'Contract.Violated' })
  })

  it("takes a planner's tasks into it, or refuses them", async () => {
    const { plan } = await load([someTask(1, { agentType: 'planner' })])
    const order = { plan, isolation: 'auto', task: 'TASK-001' } as const
    const grown = await putNestedPlan(store, { ...order, nested: await put([someTask(1)]) })
    expect(grown.tasks.map(({ id, dependencies }) => [id, dependencies])).toEqual([
      ['TASK-001', []],
      ['TASK-002', ['TASK-001']],
    ])
    const nested = await put([someTask(1, { agentType: 'planner' })])
    await expect(putNestedPlan(store, { ...order, nested })).rejects.toThrow("a planner's task within a planner's task")
  })

  it('of a hundred tasks fits into a payload as an outline', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => someTask(index + 1).id)
    const tasks = Array.from({ length: 100 }, (_, index) =>
      someTask(index + 1, { title: 'é'.repeat(50), dependencies: ids(Math.min(index, 5)) }),
    )
    expect(Buffer.byteLength(JSON.stringify(await load(tasks)))).toBeLessThan(42_000)
  })
})
