import '../test/support/quiet-temporal.js'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkflowHandle } from '@temporalio/client'
import type { temporal } from '@temporalio/proto'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { EvalResult } from '../src/contracts/eval-result.js'
import { ResultDocument } from '../src/contracts/run.js'
import { queueOf } from '../src/rules/task-queues.js'
import { pauseSignal, resumeSignal, stateQuery } from '../src/workflows/messages.js'
import type { multiRoundEval } from '../src/workflows/multi-round-eval.js'
import { agentJudge, evalInput } from '../test/support/eval-candidates.js'
import { byWorth, type JuryWorker, startJuryWorker } from '../test/support/eval-jury.js'
import { memoryStore } from '../test/support/memory-store.js'
import { devServerEnv } from '../test/support/temporal.js'

/**
 * The largest jury there may be, 50 candidates × 25 judges × 4 rounds, and a tenth of its candidates: how many answers, how large the
 * histories, how long, and how long a look at the state takes on the way. Judges answer at once: what is measured is the engine. In the
 * last row each takes half a second, which is still faster than any model.
 */
const store = memoryStore('jurybnch')
const JUDGES = 25
let env: TestWorkflowEnvironment
let worker: JuryWorker

beforeAll(async () => {
  env = await devServerEnv()
  worker = await startJuryWorker({
    connection: env.nativeConnection,
    store,
    judges: { good: byWorth, slow: { ...byWorth, pauseMs: 500 } },
  })
  await hold(3, 'warm-up')
})

afterAll(async () => {
  await worker?.stop()
  await env?.teardown()
})

it(`${JUDGES} judges over four rounds on 5 and on 50 candidates`, async () => {
  const small = await hold(Number(process.env['SMALL'] ?? 5), 'small')
  const large = await hold(Number(process.env['LARGE'] ?? 50), 'large')
  const calm = await hold(Number(process.env['CALM'] ?? 20), 'calm', 'slow')
  console.log(
    '| candidates | answers | histories | events in all | most events | most MB | seconds | state query under way, at rest (median ms) |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const each of [small, large, calm]) {
    const { candidates, answers, histories, events, mostEvents, mostBytes, seconds, lookMs, restMs } = each
    const figures = [
      candidates,
      answers,
      histories,
      events,
      mostEvents,
      (mostBytes / 1e6).toFixed(2),
      seconds.toFixed(1),
    ]
    console.log(`| ${figures.join(' | ')} | ${median(lookMs).toFixed(0)}, ${median(restMs).toFixed(0)} |`)
  }
  console.log(
    `time grows by ${(large.seconds / small.seconds).toFixed(1)} for ${(large.answers / small.answers).toFixed(1)} times the answers`,
  )
  // Temporal warns from 10,240 events and 10 MB, and ends a run at five times that.
  expect(large.mostEvents).toBeLessThan(10_240)
  expect(large.mostBytes).toBeLessThan(10 * 1024 ** 2)
  expect(median(large.restMs)).toBeLessThan(100)
  expect(median(calm.lookMs)).toBeLessThan(100)
})

async function hold(candidates: number, key: string, agent = 'good') {
  const texts = Object.fromEntries(
    Array.from({ length: candidates }, (_, at) => [
      `candidate ${at + 1}`,
      `worth ${(9 - (at * 8) / candidates).toFixed(2)} ${'words '.repeat(at)}`,
    ]),
  )
  const judges = Array.from({ length: JUDGES }, (_, at) => agentJudge(`judge${at + 1}`, agent))
  const input = await evalInput(store, texts, { judges, key, mode: 'adversarial' })
  worker.calls.length = 0
  const startedAt = performance.now()
  const handle = await env.client.workflow.start<typeof multiRoundEval>('multiRoundEval', {
    taskQueue: queueOf(store.id),
    workflowId: `eval/${key}`,
    args: [input],
  })
  const latest = env.client.workflow.getHandle(`eval/${key}`)
  const lookMs: number[] = []
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    const askedAt = performance.now()
    // Of a run that ends at this moment there may be no answer.
    const state = await latest.query(stateQuery).catch(() => null)
    if (state !== null) lookMs.push(performance.now() - askedAt)
    isLooking = false
  }
  const looks = setInterval(() => void look(), 500)
  const ended = handle.result().finally(() => clearInterval(looks))
  // Half way, and held: the worker has nothing to do but answer. (Of a run that is over each look replays all of it.)
  const restMs: number[] = []
  while (worker.calls.length < (candidates * JUDGES) / 2) await sleep(50)
  const heldAt = performance.now()
  await latest.signal(pauseSignal)
  await sleep(3_000)
  for (let times = 0; times < 9; times++) {
    const askedAt = performance.now()
    await latest.query(stateQuery)
    restMs.push(performance.now() - askedAt)
  }
  await latest.signal(resumeSignal)
  const heldMs = performance.now() - heldAt
  const { result } = ResultDocument.parse(await ended)
  expect(EvalResult.parse(result).final_recommendation.winner).toBe('candidate 1')
  const seconds = (performance.now() - startedAt) / 1000 - heldMs / 1000
  return {
    candidates,
    answers: worker.calls.length,
    seconds,
    lookMs,
    restMs,
    ...(await sizesOf(handle.firstExecutionRunId, key)),
  }
}

type History = temporal.api.history.v1.IHistory
type Continued = temporal.api.history.v1.IWorkflowExecutionContinuedAsNewEventAttributes | null | undefined

/** All histories of a run, from the first to the last. */
async function sizesOf(firstRunId: string, key: string) {
  const sizes: { events: number; bytes: number }[] = []
  for (let runId: string | undefined = firstRunId; runId !== undefined;) {
    const handle: WorkflowHandle = env.client.workflow.getHandle(`eval/${key}`, runId)
    const { events }: History = await handle.fetchHistory()
    const { raw } = await handle.describe()
    sizes.push({ events: events?.length ?? 0, bytes: Number(raw.workflowExecutionInfo?.historySizeBytes ?? 0) })
    const last: Continued = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes
    runId = last?.newExecutionRunId ?? undefined
  }
  return {
    histories: sizes.length,
    events: sizes.reduce((sum, each) => sum + each.events, 0),
    mostEvents: Math.max(...sizes.map(({ events }) => events)),
    mostBytes: Math.max(...sizes.map(({ bytes }) => bytes)),
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
