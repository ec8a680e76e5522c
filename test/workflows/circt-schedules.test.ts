import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CirctSchedule } from '../../src/rules/circt/schedule.js'
import { queueOf } from '../../src/rules/task-queues.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import { viewQuery } from '../../src/workflows/messages.js'
import { fakeInput, type FakeScript, type Scripts } from '../support/circt-fakes.js'
import { startFakeWorker } from '../support/fake-worker.js'
import '../support/quiet-temporal.js'
import { patientQuery } from '../support/patient-query.js'
import { devServerEnv } from '../support/temporal.js'

const STORE = 'schedules'
const SAMPLES = Number(process.env['S'] ?? 200)
const scripts: Scripts = new Map()
let env: TestWorkflowEnvironment
let stop: () => Promise<void>

beforeAll(async () => {
  env = await devServerEnv()
  stop = await startFakeWorker({ connection: env.nativeConnection, storeId: STORE, scripts })
})

afterAll(async () => {
  await stop?.()
  await env?.teardown()
})

const step = <T extends string>(...outcomes: T[]) =>
  fc.record({ outcome: fc.constantFrom(...outcomes), ms: fc.integer({ min: 0, max: 60 }) })

const anyScript: fc.Arbitrary<FakeScript> = fc.record({
  reproduce: step('yes', 'yes', 'yes', 'no', 'inconclusive', 'Contract.Violated'),
  root_cause_analysis: step('done', 'done', 'Tool.Missing'),
  fallback: step('done', 'Tool.Missing'),
  minimize: step('done', 'done', 'done', 'Tool.Missing'),
  validate: step(
    'report',
    'report',
    'feature_request',
    'existing_issue',
    'not_a_bug',
    'invalid_testcase',
    'Tool.Missing',
  ),
  check_duplicates: step('new', 'duplicate', 'corroborated', 'unknown', 'GitHub.Denied'),
  generate_issue: step('done', 'done', 'Tool.Missing'),
})

it(`phased and eager end alike through Temporal, ${SAMPLES} samples`, async () => {
  const samples = fc.sample(anyScript, { numRuns: SAMPLES, seed: 20_260 })
  const verdicts = new Set<string>()
  for (let from = 0; from < samples.length; from += 10) {
    const batch = samples.slice(from, from + 10)
    await Promise.all(
      batch.map(async (script, index) => {
        const [eager, phased] = await Promise.all([
          end('eager', `e${from + index}`, script),
          end('phased', `p${from + index}`, script),
        ])
        expect(eager, JSON.stringify(script)).toEqual(phased)
        verdicts.add(String(eager.verdict))
      }),
    )
  }
  expect([...verdicts].sort()).toEqual(['duplicate', 'error', 'not_a_bug', 'report_ready', 'reproduce_failed'])
  expect(await replayFailures()).toEqual([])
  expect(replayed).toBeGreaterThan(SAMPLES)
}, 180_000)

/** Replays every history of this file against today's code: what a worker without the run in its cache does at each task. */
async function replayFailures(): Promise<string[]> {
  const failures: string[] = []
  const histories = env.client.workflow.list({ query: `TaskQueue = '${queueOf(STORE)}'` }).intoHistories()
  const options = { workflowBundle: await workflowBundle() }
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    replayed += 1
    if (error !== undefined) failures.push(`${workflowId}: ${error.message}`)
  }
  return failures
}

let replayed = 0

async function end(schedule: CirctSchedule, key: string, script: FakeScript) {
  scripts.set(key, script)
  const handle = await env.client.workflow.start('circtBugReport', {
    taskQueue: queueOf(STORE),
    workflowId: `circt/${key}`,
    args: [fakeInput(key, { schedule })],
  })
  const closed = await handle.result().then(
    () => 'completed',
    () => 'failed',
  )
  const { state, files } = await patientQuery(() => handle.query(viewQuery))
  return { closed, verdict: state.verdict, phase: state.phase, files: files.map((file) => file.path).sort() }
}
