import '../test/support/quiet-temporal.js'
import { it } from 'vitest'
import { queueOf } from '../src/rules/task-queues.js'
import type { phasePipeline } from '../src/workflows/phase-pipeline.js'
import { memoryStore } from '../test/support/memory-store.js'
import { openScene, phaseInput, type PhaseScene } from '../test/support/phase-fakes.js'
import { someTask } from '../test/support/phase-tasks.js'
import { startPhaseWorker } from '../test/support/phase-worker.js'
import { devServerEnv } from '../test/support/temporal.js'

const STEP_SECONDS = 5
const TASKS = 6
/** Tests, Develop, Verify and Accept of a task. */
const STEPS = 4

/**
 * Six independent tasks whose agents and gates take a fixed time, and everything else none: how far three at a time come from a third of one
 * at a time, and what the engine adds to a step.
 */
it('phase: six independent tasks, one and three at a time', async () => {
  const env = await devServerEnv()
  const store = memoryStore('phasebench')
  const scenes = new Map<string, PhaseScene>()
  const plan = Array.from({ length: TASKS }, (_, index) => someTask(index + 1))
  const stop = await startPhaseWorker({ connection: env.nativeConnection, store, scenes })
  const stepMs = STEP_SECONDS * 1_000
  const run = async (parallel: number) => {
    const key = `parallel-${parallel}`
    scenes.set(key, openScene({ plan, say: {}, agentMs: stepMs, gatesMs: stepMs, ms: { 'plan/1': 0 } }))
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
    const pure = TASKS * STEPS * STEP_SECONDS
    const perStep = ((one - pure) / (TASKS * STEPS)) * 1_000
    console.log(
      `${TASKS} tasks of ${STEPS} steps of ${STEP_SECONDS} s: one at a time ${one.toFixed(1)} s, three ${three.toFixed(1)} s`,
    )
    console.log(`three at a time take ${((three / one) * 3).toFixed(3)} times a third of one at a time`)
    console.log(
      `the engine adds ${perStep.toFixed(0)} ms to a step of ${STEP_SECONDS} s: ${((100 * (one - pure)) / pure).toFixed(2)} %`,
    )
  } finally {
    await stop()
    await env.teardown()
  }
})
