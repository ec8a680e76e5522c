import '../test/support/quiet-temporal.js'
import { Worker } from '@temporalio/worker'
import { expect, it } from 'vitest'
import { queueOf } from '../src/rules/task-queues.js'
import { workflowBundle } from '../src/workers/workflow-bundle.js'
import { stateQuery } from '../src/workflows/messages.js'
import type { phasePipeline } from '../src/workflows/phase-pipeline.js'
import { memoryStore } from '../test/support/memory-store.js'
import { openScene, phaseInput } from '../test/support/phase-fakes.js'
import { someTask, taskId } from '../test/support/phase-tasks.js'
import { startPhaseWorker } from '../test/support/phase-worker.js'
import { devServerEnv } from '../test/support/temporal.js'

const TASKS = 100

/** A plan of a hundred tasks with real workflows and agents that answer at once: how long and how big its histories are. */
it('phase: 100 tasks in one plan', async () => {
  const env = await devServerEnv()
  const store = memoryStore('phasescale')
  const description = 'd'.repeat(600)
  const dependencies = (number: number) => (number > 10 ? [taskId(number - 10)] : [])
  const plan = Array.from({ length: TASKS }, (_, index) =>
    someTask(index + 1, { description, dependencies: dependencies(index + 1), priority: 1 + (index % 10) }),
  )
  // The last agent is slow, so that the run can be asked while it is under way with nearly all of it behind.
  const scene = openScene({ plan, say: {}, ms: { 'TASK-091/tdd-agent/1': 30_000 } })
  const small = openScene({ plan: [someTask(1)], say: {}, agentMs: 5_000 })
  const stop = await startPhaseWorker({
    connection: env.nativeConnection,
    store,
    scenes: new Map([
      ['scale', scene],
      ['small', small],
    ]),
  })
  try {
    const startedAt = performance.now()
    const handle = await env.client.workflow.start<typeof phasePipeline>('phasePipeline', {
      taskQueue: queueOf(store.id),
      workflowId: 'phase/scale',
      args: [phaseInput('scale', { isolation: 'always', parallel: 16 })],
    })
    while (!scene.log.calls.includes('TASK-100/accept-agent/1'))
      await new Promise((resolve) => setTimeout(resolve, 200))
    const query = await medianMs(() => handle.query(stateQuery))
    const other = await env.client.workflow.start<typeof phasePipeline>('phasePipeline', {
      taskQueue: queueOf(store.id),
      workflowId: 'phase/small',
      args: [phaseInput('small')],
    })
    while (small.log.busy === 0) await new Promise((resolve) => setTimeout(resolve, 100))
    const smallQuery = await medianMs(() => other.query(stateQuery))
    const { verdict } = await handle.result()
    const seconds = (performance.now() - startedAt) / 1_000
    const rows: [string, Awaited<ReturnType<typeof handle.describe>>][] = [['phase/scale', await handle.describe()]]
    for (const number of [1, 50, 100]) {
      const id = `phase/scale/${taskId(number)}/1`
      rows.push([id, await env.client.workflow.getHandle(id).describe()])
    }
    const history = await handle.fetchHistory()
    const options = { workflowBundle: await workflowBundle() }
    const cpu = process.cpuUsage()
    await Worker.runReplayHistory(options, history, 'phase/scale')
    const replay = process.cpuUsage(cpu).user / 1_000
    console.log(`${TASKS} tasks, ${verdict}, ${seconds.toFixed(1)} s, of which one agent took 30`)
    console.log(
      `state query of the run at work: ${query.toFixed(1)} ms, of a run of one task: ${smallQuery.toFixed(1)} ms`,
    )
    console.log(`a worker that takes it over needs ${replay.toFixed(0)} ms of processor time, bundle included`)
    for (const [id, { historyLength, historySize }] of rows) {
      console.log(`${id}: ${historyLength} events, ${((historySize ?? 0) / 1e6).toFixed(3)} MB`)
      expect(historyLength).toBeLessThan(5_000)
      expect(historySize).toBeLessThan(2e6)
    }
  } finally {
    await stop()
    await env.teardown()
  }
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function medianMs(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < 20; count += 1) {
    times.push(await timed(ask))
  }
  return times.sort((one, other) => one - other)[10] ?? 0
}
