import '../test/support/quiet-temporal.js'
import { it } from 'vitest'
import { queueOf } from '../src/rules/task-queues.js'
import type { phasePipeline } from '../src/workflows/phase-pipeline.js'
import { memoryStore } from '../test/support/memory-store.js'
import { openScene, phaseInput, type PhaseScene } from '../test/support/phase-fakes.js'
import { someTask } from '../test/support/phase-tasks.js'
import { startPhaseWorker } from '../test/support/phase-worker.js'
import { devServerEnv } from '../test/support/temporal.js'

const AGENT_SECONDS = 5
const TASKS = 6
/** Tester, coder and reviewer of a task. */
const CALLS = 3

/**
 * Six independent tasks with agents of fixed duration and everything else at once: how far three at a time come from a third of one
 * at a time, and what the engine adds to a step.
 */
it('phase: six independent tasks, one and three at a time', async () => {
  const env = await devServerEnv()
  const store = memoryStore('phasebench')
  const scenes = new Map<string, PhaseScene>()
  const plan = Array.from({ length: TASKS }, (_, index) => someTask(index + 1))
  const stop = await startPhaseWorker({ connection: env.nativeConnection, store, scenes })
  const run = async (parallel: number) => {
    const key = `parallel-${parallel}`
    scenes.set(key, openScene({ plan, say: {}, agentMs: AGENT_SECONDS * 1_000, ms: { 'plan/1': 0 } }))
    const startedAt = performance.now()
    await env.client.workflow.execute<typeof phasePipeline>('phasePipeline', {
      taskQueue: queueOf(store.id),
      workflowId: `phase/${key}`,
      args: [phaseInput(key, { isolation: 'always', parallel })],
    })
    return (performance.now() - startedAt) / 1_000
  }
  try {
    const three = await run(3)
    const one = await run(1)
    const pure = TASKS * CALLS * AGENT_SECONDS
    const perStep = ((one - pure) / (TASKS * CALLS)) * 1_000
    console.log(
      `${TASKS} tasks of ${CALLS} calls of ${AGENT_SECONDS} s: one at a time ${one.toFixed(1)} s, three ${three.toFixed(1)} s`,
    )
    console.log(`three at a time take ${((three / one) * 3).toFixed(3)} times a third of one at a time`)
    console.log(
      `the engine adds ${perStep.toFixed(0)} ms to a step of ${AGENT_SECONDS} s: ${((100 * (one - pure)) / pure).toFixed(2)} %`,
    )
  } finally {
    await stop()
    await env.teardown()
  }
})
