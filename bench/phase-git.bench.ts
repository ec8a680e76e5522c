import '../test/support/quiet-temporal.js'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { createAgentActivities } from '../src/activities/agent-activities.js'
import { createPhaseActivities } from '../src/activities/phase-activities.js'
import { createRunActivities } from '../src/activities/run-activities.js'
import type { RunProcess } from '../src/contracts/process.js'
import { LANES, queueOf } from '../src/rules/task-queues.js'
import { writeDefinition } from '../src/tools/agent-definitions.js'
import { setupWorktree } from '../src/tools/dependencies/setup-worktree.js'
import { createRunRepository, runRepositoryFolder } from '../src/tools/git/run-repository.js'
import { openWorkbench, type Workbench } from '../src/workers/workbench.js'
import { startWorker } from '../src/workers/worker.js'
import type { phasePipeline } from '../src/workflows/phase-pipeline.js'
import { aRepository, freshFolder } from '../test/support/git-repository.js'
import { someReview } from '../test/support/phase-answers.js'
import { phaseInput } from '../test/support/phase-fakes.js'
import { someTask } from '../test/support/phase-tasks.js'
import { devServerEnv } from '../test/support/temporal.js'

/**
 * Six independent tasks with real git, tests and gates in a repository of 200 files, and agents that take GAUNTLET_BENCH_SECONDS (5) each:
 * how far three at a time come from a third of one at a time, and what the engine adds to the time of agents and of the project's own
 * programs. Interleaved, GAUNTLET_BENCH_ROUNDS (1) times.
 */
const AGENT_SECONDS = Number(process.env['GAUNTLET_BENCH_SECONDS'] ?? 5)
const ROUNDS = Number(process.env['GAUNTLET_BENCH_ROUNDS'] ?? 1)
const TASKS = 6
/** Develop, Verify and Accept of each task. */
const STEPS = 3
/** Coder and reviewer of each task. */
const CALLS = 2

interface Timed {
  seconds: number
  /** In which at least one agent or program of the project's was at work. */
  busy: number
}

it('phase: six independent tasks on real git, one and three at a time', async () => {
  const env = await devServerEnv()
  const clock = busyClock()
  const bench = await openBench(clock)
  const stop = await startBench(env, bench, clock)
  const one: Timed[] = []
  const three: Timed[] = []
  try {
    await run({ env, bench, clock }, { key: 'warm-up', parallel: 3, seconds: 0 })
    for (let round = 0; round < ROUNDS; round += 1) {
      three.push(await run({ env, bench, clock }, { key: `three-${round}`, parallel: 3, seconds: AGENT_SECONDS }))
      one.push(await run({ env, bench, clock }, { key: `one-${round}`, parallel: 1, seconds: AGENT_SECONDS }))
    }
  } finally {
    await stop()
    await env.teardown()
  }
  report(one, three)
})

function report(one: readonly Timed[], three: readonly Timed[]): void {
  for (const [at, serial] of one.entries()) {
    const parallel = three[at]
    if (parallel === undefined) continue
    const added = (serial.seconds - serial.busy) / (TASKS * STEPS)
    const agents = TASKS * CALLS * AGENT_SECONDS
    const figures = [
      `one at a time ${serial.seconds.toFixed(1)} s (agents ${agents} s, programs ${(serial.busy - agents).toFixed(1)} s)`,
      `three ${parallel.seconds.toFixed(1)} s: ${((parallel.seconds / serial.seconds) * 3).toFixed(3)} times a third`,
      `the engine adds ${(added * 1_000).toFixed(0)} ms to a step, ${((added / AGENT_SECONDS) * 100).toFixed(2)} % of ${AGENT_SECONDS} s`,
      `load ${loadavg()[0]?.toFixed(1)}`,
    ]
    console.log(figures.join('; '))
  }
  expect(three).toHaveLength(one.length)
}

interface BusyClock {
  during<T>(work: () => Promise<T>): Promise<T>
  seconds(): number
}

/** Time in which at least one of several is at work. */
function busyClock(): BusyClock {
  let atWork = 0
  let since = 0
  let sum = 0
  const during = async <T>(work: () => Promise<T>) => {
    if (atWork === 0) since = performance.now()
    atWork += 1
    try {
      return await work()
    } finally {
      atWork -= 1
      if (atWork === 0) sum += performance.now() - since
    }
  }
  return { during, seconds: () => sum / 1_000 }
}

async function openBench(clock: BusyClock): Promise<Workbench> {
  const home = freshFolder()
  const bench = await openWorkbench({ home, env: process.env, storePath: join(home, 'store'), slots: 3 })
  const timed: RunProcess = (order) => clock.during(() => bench.run(order))
  return { ...bench, run: timed }
}

async function startBench(
  { nativeConnection, namespace }: TestWorkflowEnvironment,
  bench: Workbench,
  clock: BusyClock,
): Promise<() => Promise<void>> {
  const { home, env, isSandboxed, runAtOnce, store } = bench
  const agents = createAgentActivities({
    ...bench,
    run: runAtOnce,
    temporalAddress: null,
    prepare: async ({ folder }, signal) => {
      await setupWorktree({ folder, home, env, isSandboxed, run: runAtOnce, signal })
      // Every agent takes its time here, so that the clock sees it and nothing else of the call.
      await clock.during(() => sleep(agentMs.now))
      return { readable: [] }
    },
  })
  const activities = { ...createRunActivities(store), ...agents, ...createPhaseActivities(bench) }
  const shared = { connection: nativeConnection, namespace: namespace ?? 'default', storeId: store.id }
  const { stop } = await startWorker({ ...shared, activities, lanes: LANES, toolSlots: 3 })
  return stop
}

const agentMs = { now: 0 }

interface Place {
  env: TestWorkflowEnvironment
  bench: Workbench
  clock: BusyClock
}

async function run(
  { env, bench, clock }: Place,
  wish: { key: string; parallel: number; seconds: number },
): Promise<Timed> {
  agentMs.now = wish.seconds * 1_000
  const git = await bench.git()
  const into = { url: runRepositoryFolder(git, wish.key) }
  const place = await createRunRepository({ git, source: { url: SOURCE }, base: 'HEAD', run: wish.key, into })
  const agents = [{ role: '*' as const, agent: await scriptFor(bench) }]
  const plan = await bench.store.put('plan.json', JSON.stringify(PLAN), 'application/json')
  const own = { ...place, agents, plan, parallel: wish.parallel, quality: 'fast', allow_unsandboxed: true } as const
  const [startedAt, busyBefore] = [performance.now(), clock.seconds()]
  const { verdict } = await env.client.workflow.execute<typeof phasePipeline>('phasePipeline', {
    taskQueue: queueOf(bench.store.id),
    workflowId: `phase/${wish.key}`,
    args: [phaseInput(wish.key, { ...own, isolation: 'always' })],
  })
  const seconds = (performance.now() - startedAt) / 1_000
  expect(verdict).toBe('accepted')
  return { seconds, busy: clock.seconds() - busyBefore }
}

const PLAN = Array.from({ length: TASKS }, (_, at) => someTask(at + 1))

const SOURCE = aRepository({
  'package.json': '{"private": true, "type": "module", "scripts": {"test": "node --test test/"}}\n',
  'test/one.test.js': "import { it } from 'node:test'\nit('passes', () => {})\n",
  ...Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [
      `src/part-${at % 10}/file-${at}.js`,
      `export const x = ${at}\n`.repeat(100),
    ]),
  ),
})

async function scriptFor({ home }: Workbench): Promise<string> {
  const code = PLAN.map(({ id }) => ({
    role: 'coder',
    task_id: id,
    edits: [{ path: `src/${id}.js`, content: `export const id = '${id}'\n` }],
    answer: { summary: 'Done.', files: [] },
  }))
  const content = JSON.stringify({ answers: [...code, { role: 'reviewer', answer: someReview() }] })
  const file = join(home, 'script.json')
  writeFileSync(file, content)
  const sha256 = createHash('sha256').update(content).digest('hex')
  await writeDefinition(home, 'script', { kind: 'script', file, sha256 })
  return 'script'
}
