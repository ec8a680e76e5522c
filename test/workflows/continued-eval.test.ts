import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EvalResult } from '../../src/contracts/eval-result.js'
import type { EvalInput } from '../../src/contracts/eval.js'
import { ResultDocument } from '../../src/contracts/run.js'
import { queueOf } from '../../src/rules/task-queues.js'
import {
  abortSignal,
  answerUpdate,
  guideSignal,
  pauseSignal,
  resumeSignal,
  stateQuery,
} from '../../src/workflows/messages.js'
import type { multiRoundEval } from '../../src/workflows/multi-round-eval.js'
import { agentJudge, evalInput, programJudge } from '../support/eval-candidates.js'
import { byWorth, type JuryWorker, startJuryWorker } from '../support/eval-jury.js'
import { memoryStore } from '../support/memory-store.js'
import { patientQuery } from '../support/patient-query.js'
import { logged } from '../support/quiet-temporal.js'
import { devServerEnv } from '../support/temporal.js'

interface Place {
  env: TestWorkflowEnvironment
  worker: JuryWorker
}

const store = memoryStore('chained0')
/** As always, and with a server that wants a new history after a few events: each move of a jury gets its own. */
let plain: Place
let chained: Place

beforeAll(async () => {
  plain = await openPlace([])
  chained = await openPlace(['limit.historyCount.suggestContinueAsNew=12'])
}, 120_000)

afterAll(async () => {
  for (const place of [plain, chained]) {
    await place?.worker.stop()
    await place?.env.teardown()
  }
  expect(logged.filter((line) => line.includes('Nondeterminism'))).toEqual([])
})

async function openPlace(settings: readonly string[]): Promise<Place> {
  const env = await devServerEnv(undefined, settings)
  const judges = { good: byWorth, level: { mark: () => 5 }, tires: { ...byWorth, fails: tiresLate } }
  const tests = (text: string) => ({ score: Number(/worth (\d+)/.exec(text)?.[1] ?? 5) })
  const programs = { tests, ...Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`tests${at + 1}`, tests])) }
  // Without a cache each step reads its history again.
  const maxCachedWorkflows = settings.length > 0 ? 0 : 100
  const connection = env.nativeConnection
  const worker = await startJuryWorker({ connection, store, judges, programs, maxCachedWorkflows })
  return { env, worker }
}

const tiresLate = ({ role }: { role: string }) => (role === 'screener' ? null : 'Tool.TimedOut')

let count = 0

type Rest = Partial<EvalInput> & Pick<EvalInput, 'judges'>

async function start({ env }: Place, texts: Readonly<Record<string, string>>, rest: Rest) {
  const input = await evalInput(store, texts, { key: `eval-${(count += 1)}`, ...rest })
  const workflowId = `eval/${input.key}`
  const first = await env.client.workflow.start<typeof multiRoundEval>('multiRoundEval', {
    taskQueue: queueOf(store.id),
    workflowId,
    args: [input],
    memo: { input_digest: 'kept' },
  })
  // Without a run id: whatever history the run is in.
  return { first, handle: env.client.workflow.getHandle<typeof multiRoundEval>(workflowId) }
}

async function held(place: Place, texts: Readonly<Record<string, string>>, rest: Rest) {
  place.worker.calls.length = 0
  const { first, handle } = await start(place, texts, rest)
  const document = ResultDocument.parse(await first.result())
  const calls = [...place.worker.calls].sort()
  return { document, result: EvalResult.parse(document.result), calls, first, handle }
}

const FIVE = { a: 'worth 9', b: 'worth 7', c: 'worth 5', d: 'worth 4', e: 'worth 1' }
const mixed = [agentJudge('ada', 'good'), agentJudge('ben', 'tires'), programJudge('tests'), agentJudge('cleo', 'good')]

describe('a jury over several histories', { timeout: 120_000 }, () => {
  it('comes to the same, asks nobody twice, and is one run with one beginning', async () => {
    const rest: Rest = { judges: mixed, mode: 'thorough', spares: [agentJudge('dora', 'good')] }
    const one = await held(plain, FIVE, rest)
    const many = await held(chained, FIVE, rest)
    expect(many.result).toEqual(one.result)
    expect(many.calls).toEqual(one.calls)
    const { seconds: _, ...usage } = one.document.usage
    expect(many.document.usage).toMatchObject(usage)
    const { workflowId, firstExecutionRunId } = many.first
    const began = await chained.env.client.workflow.getHandle(workflowId, firstExecutionRunId).describe()
    const ended = await many.handle.describe()
    expect(began.status.name).toBe('CONTINUED_AS_NEW')
    expect(ended.runId).not.toBe(firstExecutionRunId)
    expect(many.document.run_id).toBe(firstExecutionRunId)
    const moments = [began.startTime.getTime(), Date.parse(many.document.started_at), ended.startTime.getTime()]
    expect(moments).toEqual([...moments].sort((x, y) => x - y))
    expect(ended.memo).toMatchObject({
      input_digest: 'kept',
      run_id: many.document.run_id,
      started_at: many.document.started_at,
    })
    const state = await patientQuery(() => many.handle.query(stateQuery))
    const steps = (await patientQuery(() => one.handle.query(stateQuery))).steps
    expect(state.steps.map(({ name, status, attempt, note }) => [name, status, attempt, note])).toEqual(
      steps.map(({ name, status, attempt, note }) => [name, status, attempt, note]),
    )
  })

  it('keeps its budget over all of them', async () => {
    const rest: Rest = {
      judges: [agentJudge('ada', 'good'), agentJudge('ben', 'good')],
      budget: { tokens: null, cost: null, rounds: 7, seconds: null },
    }
    const one = await held(plain, FIVE, rest)
    const many = await held(chained, FIVE, rest)
    expect(one.document.status).toBe('budget_exhausted')
    expect([many.document.status, many.document.reason]).toEqual([one.document.status, one.document.reason])
    expect([one.calls.length, many.calls.length]).toEqual([7, 7])
  })

  it('keeps what people said in an earlier one, and hears what they say in a later one', async () => {
    const judges = [agentJudge('ada', 'level'), agentJudge('ben', 'level')]
    const { handle, first } = await start(
      chained,
      { a: 'worth 5', b: 'worth 5' },
      { judges, answer_within_seconds: 600 },
    )
    await handle.signal(guideSignal, 'be kind')
    await asks(handle, 'round-1')
    await handle.executeUpdate(answerUpdate, { args: [{ question: 'round-1', option: 'keep' }] })
    await asks(handle, 'consensus')
    chained.worker.orders.length = 0
    // Without a cache a query may see a workflow task that the server has not taken yet, and the next one what was before it.
    const questions = async () => (await patientQuery(() => handle.query(stateQuery))).questions
    await expect
      .poll(async () => (await questions()).map(({ id, answer }) => [id, answer]), { timeout: 20_000 })
      .toEqual([
        ['round-1', 'keep'],
        ['consensus', null],
      ])
    expect((await handle.describe()).runId).not.toBe(first.firstExecutionRunId)
    await handle.executeUpdate(answerUpdate, { args: [{ question: 'consensus', option: 'take-2' }] })
    const { result } = ResultDocument.parse(await first.result())
    expect(EvalResult.parse(result).final_recommendation.winner).toBe('b')
    const told = chained.worker.orders.map(({ input }) => (input as { guidance: string[] }).guidance)
    for (const guidance of told) expect(guidance).toEqual(['be kind'])
  })

  it.each(['abort', 'cancel'] as const)('ends by %s in a later one with what it knows', async (word) => {
    const { handle, first } = await start(chained, FIVE, {
      judges: [agentJudge('ada', 'level'), agentJudge('ben', 'level')],
      answer_within_seconds: 600,
    })
    await asks(handle, 'round-1')
    expect((await handle.describe()).runId).not.toBe(first.firstExecutionRunId)
    if (word === 'abort') await handle.signal(abortSignal, 'no time')
    else await handle.cancel()
    const end = await first.result().then(
      (document) => ResultDocument.parse(document).status,
      (error: Error) => error.cause?.constructor.name,
    )
    expect(end).toBe(word === 'abort' ? 'aborted' : 'CancelledFailure')
    const state = await patientQuery(() => handle.query(stateQuery))
    expect([state.status, state.verdict]).toEqual([word === 'abort' ? 'aborted' : 'canceled', 'stopped'])
    expect(state.steps.filter(({ name }) => name.startsWith('round 1')).length).toBeGreaterThan(0)
  })

  it('stays paused, whatever comes in between', async () => {
    const { handle, first } = await start(chained, FIVE, { judges: mixed })
    await handle.signal(pauseSignal)
    await expect
      .poll(() => patientQuery(() => handle.query(stateQuery)).then(({ status }) => status), { timeout: 60_000 })
      .toBe('paused')
    await handle.signal(resumeSignal)
    expect(ResultDocument.parse(await first.result()).status).toBe('completed')
  })
})

describe('a jury with more to do than one history should hold', { timeout: 240_000 }, () => {
  const many = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`c${at + 1}`, `worth ${at < 9 ? 9 - at : 1}`]))
  const seats = Array.from({ length: 25 }, (_, at) => at + 1)

  it('of programs measures in parts, each candidate once', async () => {
    const judges = seats.map((at) => programJudge(`tests${at}`))
    const { result, calls, handle } = await held(plain, many, { judges, rounds: 1 })
    expect(result.final_recommendation.winner).toBe('c1')
    expect(calls).toEqual([...new Set(calls)])
    expect(calls).toHaveLength(25 * 14)
    expect(result.execution_log[0]).toBe('screen: 12 candidates measured so far')
    const { steps } = await patientQuery(() => handle.query(stateQuery))
    expect(new Set(steps.map(({ status, attempt }) => `${status} ${attempt}`))).toEqual(new Set(['passed 1']))
  })

  it('of agents analyses in parts, each candidate once', async () => {
    const judges = seats.map((at) => agentJudge(`judge${at}`, 'good'))
    const { result, calls, handle } = await held(plain, many, { judges, rounds: 2, asks_twice: false })
    expect(result.final_recommendation.winner).toBe('c1')
    expect(calls).toEqual([...new Set(calls)])
    const analyses = calls.filter((call) => call.startsWith('defect-analyst'))
    expect(analyses).toHaveLength(25 * (14 - result.rounds.round1.eliminated.length))
    expect(result.execution_log).toContain('analyse: 12 candidates so far')
    const { steps } = await patientQuery(() => handle.query(stateQuery))
    expect(new Set(steps.map(({ status, attempt }) => `${status} ${attempt}`))).toEqual(new Set(['passed 1']))
    expect(steps.at(-1)?.note).toBe(`${analyses.length / 25} of ${analyses.length / 25} candidates`)
  })
})

async function asks(handle: Awaited<ReturnType<typeof start>>['handle'], question: string): Promise<void> {
  const isOpen = async () => {
    const { questions } = await patientQuery(() => handle.query(stateQuery))
    return questions.some(({ id, answer }) => id === question && answer === null)
  }
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true)
}
