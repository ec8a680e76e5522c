import '../test/support/quiet-temporal.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CirctSetup, createCirctActivities } from '../src/activities/circt-activities.js'
import type { CirctInput } from '../src/contracts/circt.js'
import { queueOf } from '../src/rules/task-queues.js'
import { openLocalStore } from '../src/tools/artifacts/local-store.js'
import type { Toolchain } from '../src/tools/circt/circt-box.js'
import { createPool } from '../src/tools/process/pool.js'
import { createRunner } from '../src/tools/process/runner.js'
import { detectSandbox } from '../src/tools/process/sandbox.js'
import { installedFirtool, testFolder } from '../test/support/circt-case.js'
import { fakeInput, type FakeScript, GOOD_SCRIPT, type Scripts } from '../test/support/circt-fakes.js'
import { startFakeWorker } from '../test/support/fake-worker.js'
import { devServerEnv } from '../test/support/temporal.js'

/**
 * What Gauntlet adds to Temporal: the same activities on the same server and worker, once from a bare workflow and once from
 * ours. Interleaved; latency is the median of a run; CPU is of this process (client and worker) and of the programs it ran.
 * Empty activities hide nothing of the engine; the last table is of real ones, on the bundled crash, reduction included.
 */
const ROUNDS = Number(process.env['GAUNTLET_BENCH_ROUNDS'] ?? 60)
const TYPES = ['bareReport', 'circtBugReport'] as const
type Type = (typeof TYPES)[number]

const scripts: Scripts = new Map()
let env: TestWorkflowEnvironment
let bundle: { code: string }

beforeAll(async () => {
  env = await devServerEnv()
  const workflowsPath = fileURLToPath(new URL('./bench-workflows.ts', import.meta.url))
  bundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
})

afterAll(async () => {
  await env?.teardown()
})

it.each([
  ['empty', 0, ROUNDS],
  ['of 200 ms', 200, Math.ceil(ROUNDS / 4)],
])('a run with activities %s against a bare workflow with the same', async (name, ms, rounds) => {
  const stop = await startFakeWorker({ connection: env.nativeConnection, storeId: `fakes${ms}`, scripts, bundle })
  const steps = Object.entries(GOOD_SCRIPT).map(([step, fake]) => [step, { ...fake, ms }])
  const script = Object.fromEntries(steps) as FakeScript
  await compare(`activities ${name}`, rounds, (type, key) => {
    scripts.set(key, script)
    return execute(`fakes${ms}`, type, fakeInput(key))
  })
  await stop()
})

const firtool = installedFirtool('1.62.1')

it.skipIf(firtool === null)('a run with the real activities against a bare workflow with the same', async () => {
  const { setup, input } = await realCase(firtool ?? '')
  const activities = createCirctActivities(setup)
  const { store } = setup
  const shared = { connection: env.nativeConnection, storeId: store.id, scripts, bundle, store, toolSlots: 3 }
  const stop = await startFakeWorker({ ...shared, activities: activities as never })
  await compare('real activities', Math.ceil(ROUNDS / 20), (type, key) =>
    execute(store.id, type, { ...input, crash_id: key }),
  )
  await stop()
})

async function compare(name: string, rounds: number, run: (type: Type, key: string) => Promise<void>): Promise<void> {
  for (const type of TYPES) await run(type, `warm-${type}-${name.replaceAll(' ', '-')}`)
  const seconds: Record<Type, number[]> = { bareReport: [], circtBugReport: [] }
  const cpu: Record<Type, number> = { bareReport: 0, circtBugReport: 0 }
  for (let round = 0; round < rounds; round += 1) {
    for (const type of round % 2 === 0 ? TYPES : TYPES.toReversed()) {
      const [before, startedAt] = [cpuMs(), performance.now()]
      await run(type, `${type}-${name.replaceAll(' ', '-')}-${round}`)
      seconds[type].push(performance.now() - startedAt)
      cpu[type] += cpuMs() - before
    }
  }
  const latency = median(seconds.circtBugReport) / median(seconds.bareReport)
  const perRun = TYPES.map((type) => (cpu[type] / rounds).toFixed(1))
  console.log(`| ${name}, ${rounds} rounds | bare | ours | ratio |`)
  console.log('| --- | --- | --- | --- |')
  console.log(
    `| latency, ms | ${TYPES.map((type) => median(seconds[type]).toFixed(1)).join(' | ')} | ${latency.toFixed(3)} |`,
  )
  console.log(`| CPU per run, ms | ${perRun.join(' | ')} | ${(cpu.circtBugReport / cpu.bareReport).toFixed(3)} |`)
  expect(latency).toBeGreaterThan(0)
}

async function execute(storeId: string, type: Type, input: CirctInput): Promise<void> {
  const workflowId = `circt/${input.crash_id}`
  await env.client.workflow.execute(type, { taskQueue: queueOf(storeId), workflowId, args: [input] })
}

async function realCase(folder: string): Promise<{ setup: CirctSetup; input: CirctInput }> {
  const root = testFolder('overhead')
  const store = await openLocalStore(join(root, 'store'))
  const sandbox = await detectSandbox()
  const runner = createRunner(
    sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: 'bubblewrap', bwrapPath: sandbox.path },
  )
  const toolchain: Toolchain = {
    version: '1.62.1',
    has: (tool) => tool === 'firtool',
    pathOf: (tool) => join(folder, tool),
  }
  const setup: CirctSetup = {
    run: createPool(runner, 2),
    store,
    toolchainFor: async () => toolchain,
    scratchRoot: join(root, 'scratch'),
    isSandboxed: sandbox.kind !== 'none',
    circtSource: null,
    gdb: null,
    parallelism: 2,
  }
  const put = async (name: string) => store.put(name, readFileSync(new URL(name, CASE)), 'text/plain')
  const issues = await store.put('issues.json', '[]', 'application/json')
  const [source, error] = [await put('source.fir'), await put('error.txt')]
  return { setup, input: fakeInput('real', { source, error, issues, allow_unsandboxed: true }) }
}

const CASE = new URL('../examples/circt/command-queue/', import.meta.url)

/** User and system time of this process and of the children it has waited for, milliseconds (proc(5): fields 14 to 17). */
function cpuMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ').slice(11, 15) ?? []
  return fields.map(Number).reduce((sum, ticks) => sum + ticks, 0) * 10
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
