import '../test/support/quiet-temporal.js'
import { fileURLToPath } from 'node:url'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { queueOf } from '../src/rules/task-queues.js'
import { fakeInput, type FakeScript, GOOD_SCRIPT, type Scripts } from '../test/support/circt-fakes.js'
import { startFakeWorker } from '../test/support/fake-worker.js'
import { devServerEnv } from '../test/support/temporal.js'

/**
 * What Gauntlet adds to Temporal: the same activities on the same server and worker, once from a bare workflow and once from
 * ours. Interleaved; latency is the median of a run, CPU is of this process (client, worker and fakes), per run. With empty
 * activities nothing hides the engine; with 200 ms each, a run is as short as a real one can be.
 */
const ROUNDS = Number(process.env['GAUNTLET_BENCH_ROUNDS'] ?? 60)
const TYPES = ['bareReport', 'circtBugReport'] as const
type Type = (typeof TYPES)[number]

const scripts: Scripts = new Map()
let env: TestWorkflowEnvironment
let stop: () => Promise<void>

beforeAll(async () => {
  env = await devServerEnv()
  const workflowsPath = fileURLToPath(new URL('./bench-workflows.ts', import.meta.url))
  const bundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
  stop = await startFakeWorker({ connection: env.nativeConnection, storeId: 'overhead', scripts, bundle })
})

afterAll(async () => {
  await stop?.()
  await env?.teardown()
})

it.each([
  ['empty', 0],
  ['of 200 ms', 200],
])('a run with activities %s against a bare workflow with the same', async (name, ms) => {
  for (const type of TYPES) await run(type, `warm-${type}-${ms}`, ms)
  const seconds: Record<Type, number[]> = { bareReport: [], circtBugReport: [] }
  const cpu: Record<Type, number> = { bareReport: 0, circtBugReport: 0 }
  for (let round = 0; round < (ms === 0 ? ROUNDS : ROUNDS / 4); round += 1) {
    for (const type of round % 2 === 0 ? TYPES : TYPES.toReversed()) {
      const before = process.cpuUsage()
      seconds[type].push(await run(type, `${type}-${ms}-${round}`, ms))
      const { user, system } = process.cpuUsage(before)
      cpu[type] += (user + system) / 1_000
    }
  }
  const latency = median(seconds.circtBugReport) / median(seconds.bareReport)
  const cpuRatio = cpu.circtBugReport / cpu.bareReport
  console.log(`| activities ${name} | bare | ours | ratio |`)
  console.log('| --- | --- | --- | --- |')
  console.log(
    `| latency, ms | ${TYPES.map((type) => median(seconds[type]).toFixed(1)).join(' | ')} | ${latency.toFixed(3)} |`,
  )
  const perRun = TYPES.map((type) => (cpu[type] / seconds[type].length).toFixed(1))
  console.log(`| CPU per run, ms | ${perRun.join(' | ')} | ${cpuRatio.toFixed(3)} |`)
  expect(latency).toBeGreaterThan(0)
})

async function run(type: Type, key: string, ms: number): Promise<number> {
  const steps = Object.entries(GOOD_SCRIPT).map(([step, fake]) => [step, { ...fake, ms }])
  scripts.set(key, Object.fromEntries(steps) as FakeScript)
  const startedAt = performance.now()
  await env.client.workflow.execute(type, {
    taskQueue: queueOf('overhead'),
    workflowId: `circt/${key}`,
    args: [fakeInput(key)],
  })
  return performance.now() - startedAt
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
