import '../test/support/quiet-temporal.js'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CirctSchedule } from '../src/rules/circt/schedule.js'
import { queueOf } from '../src/rules/task-queues.js'
import { fakeInput, type FakeScript, GOOD_SCRIPT, type Scripts } from '../test/support/circt-fakes.js'
import { startFakeWorker } from '../test/support/fake-worker.js'
import { devServerEnv } from '../test/support/temporal.js'

/**
 * Seed 002's own durations at one second per minute, three tool slots: what do the schedules gain, and what does the engine
 * cost above the critical path? Interleaved, median of GAUNTLET_BENCH_ROUNDS (5) rounds.
 */
const SCRIPT: FakeScript = {
  ...GOOD_SCRIPT,
  reproduce: { outcome: 'yes', ms: 3_000 },
  root_cause_analysis: { outcome: 'done', ms: 5_000 },
  minimize: { outcome: 'done', ms: 3_000 },
  validate: { outcome: 'report', ms: 2_000 },
  check_duplicates: { outcome: 'new', ms: 1_000 },
  generate_issue: { outcome: 'done', ms: 1_000 },
}

/** Seconds no scheduler could do without. */
const CRITICAL_PATH = { serial: 15, phased: 11, eager: 7 } as const satisfies Record<CirctSchedule, number>
const SCHEDULES = Object.keys(CRITICAL_PATH) as CirctSchedule[]
const ROUNDS = Number(process.env['GAUNTLET_BENCH_ROUNDS'] ?? 5)

const scripts: Scripts = new Map()
let env: TestWorkflowEnvironment
let stop: () => Promise<void>

beforeAll(async () => {
  env = await devServerEnv()
  stop = await startFakeWorker({ connection: env.nativeConnection, storeId: 'schedule', scripts, toolSlots: 3 })
  await run('eager', 'warm-up', GOOD_SCRIPT)
})

afterAll(async () => {
  await stop?.()
  await env?.teardown()
})

it(`serial, phased and eager on the seed's durations, median of ${ROUNDS}`, async () => {
  const seconds: Record<CirctSchedule, number[]> = { serial: [], phased: [], eager: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const schedule of SCHEDULES) seconds[schedule].push(await run(schedule, `${schedule}-${round}`, SCRIPT))
  }
  const serial = median(seconds.serial)
  console.log('| schedule | seconds (median) | min | max | times serial | over the critical path |')
  console.log('| --- | --- | --- | --- | --- | --- |')
  for (const schedule of SCHEDULES) {
    const all = seconds[schedule]
    const over = (median(all) / CRITICAL_PATH[schedule] - 1) * 100
    const figures = [median(all), Math.min(...all), Math.max(...all), serial / median(all)].map((each) =>
      each.toFixed(3),
    )
    console.log(`| ${schedule} | ${figures.join(' | ')} | ${over.toFixed(1)} % |`)
  }
  expect(serial / median(seconds.eager)).toBeGreaterThanOrEqual(2)
  for (const schedule of SCHEDULES)
    expect(median(seconds[schedule]) / CRITICAL_PATH[schedule]).toBeLessThanOrEqual(1.05)
})

async function run(schedule: CirctSchedule, key: string, script: FakeScript): Promise<number> {
  scripts.set(key, script)
  const startedAt = performance.now()
  await env.client.workflow.execute('circtBugReport', {
    taskQueue: queueOf('schedule'),
    workflowId: `circt/${key}`,
    args: [fakeInput(key, { schedule })],
  })
  return (performance.now() - startedAt) / 1_000
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
