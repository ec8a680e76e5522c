import '../support/quiet-temporal.js'
import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CirctInput } from '../../src/contracts/circt.js'
import type { FailureType } from '../../src/contracts/failures.js'
import { ResultDocument, RunState } from '../../src/contracts/run.js'
import { queueOf } from '../../src/rules/task-queues.js'
import type { circtBugReport } from '../../src/workflows/circt-bug-report.js'
import {
  abortSignal,
  answerSignal,
  answerUpdate,
  guideSignal,
  pauseSignal,
  resumeSignal,
  stateQuery,
  viewQuery,
} from '../../src/workflows/messages.js'
import { fakeInput, type FakeScript, GOOD_SCRIPT, type Scripts } from '../support/circt-fakes.js'
import { startFakeWorker } from '../support/fake-worker.js'
import { patientQuery } from '../support/patient-query.js'
import { devServerEnv } from '../support/temporal.js'

const STORE = 'circtflow'
const scripts: Scripts = new Map()
const calls: string[] = []
let env: TestWorkflowEnvironment
let stop: () => Promise<void>

beforeAll(async () => {
  env = await devServerEnv()
  stop = await startFakeWorker({ connection: env.nativeConnection, storeId: STORE, scripts, calls })
})

afterAll(async () => {
  await stop?.()
  await env?.teardown()
})

let count = 0

async function start(script: Partial<FakeScript>, overrides: Partial<CirctInput> = {}) {
  const key = `case-${(count += 1)}`
  scripts.set(key, { ...GOOD_SCRIPT, ...script })
  const handle = await env.client.workflow.start<typeof circtBugReport>('circtBugReport', {
    taskQueue: queueOf(STORE),
    workflowId: `circt/${key}`,
    args: [fakeInput(key, overrides)],
  })
  return { key, handle }
}

type Handle = Awaited<ReturnType<typeof start>>['handle']

async function finish(
  handle: Handle,
): Promise<{ document: ResultDocument; files: string[]; status: Record<string, unknown> }> {
  const document = await handle.result().catch((error: unknown) => {
    const cause = error instanceof WorkflowFailedError ? error.cause : null
    if (!(cause instanceof ApplicationFailure) || !cause.details?.length) throw error
    return ResultDocument.parse(cause.details[0])
  })
  const { files } = await patientQuery(() => handle.query(viewQuery))
  const status = files.find((each) => each.path === 'status.json')
  if (status === undefined || !('text' in status)) throw new Error('no status.json')
  return { document, files: files.map((each) => each.path).sort(), status: JSON.parse(status.text) }
}

const PHASE_ONE = ['metadata.json', 'reproduce.log', 'analysis.json', 'root_cause.md']
const DUPLICATES = ['duplicates.json', 'duplicates.md']
const MINIMIZED = ['bug.fir', 'error.log', 'command.txt', 'minimize_report.md']
const VALIDATION = ['validation.json', 'validation.md']
const PHASE_TWO = [...PHASE_ONE, ...MINIMIZED, ...DUPLICATES, ...VALIDATION]

/** A run ends between its phases, and a phase that it did not come to is none that is under way. */
function phasesUpTo(verdict: string) {
  const phase2 = verdict === 'reproduce_failed' ? 'skipped' : 'completed'
  return { phase1: 'completed', phase2, phase3: verdict === 'report_ready' ? 'completed' : 'skipped' }
}

const fails = (type: FailureType) => ({ outcome: type })

describe('circtBugReport', () => {
  it.each([
    ['report_ready', {}, [...PHASE_TWO, 'issue.md']],
    ['reproduce_failed', { reproduce: { outcome: 'no' } }, PHASE_ONE],
    ['not_a_bug', { validate: { outcome: 'not_a_bug' } }, PHASE_TWO],
    ['not_a_bug', { validate: { outcome: 'invalid_testcase' } }, PHASE_TWO],
    ['duplicate', { validate: { outcome: 'existing_issue' } }, PHASE_TWO],
    ['duplicate', { check_duplicates: { outcome: 'corroborated' } }, PHASE_TWO],
    ['report_ready', { check_duplicates: { outcome: 'duplicate' } }, [...PHASE_TWO, 'issue.md']],
    ['report_ready', { validate: { outcome: 'feature_request' } }, [...PHASE_TWO, 'issue.md']],
  ] as [string, Partial<FakeScript>, string[]][])(
    'ends as %s for %j in both schedules',
    async (verdict, script, files) => {
      for (const schedule of ['eager', 'phased'] as const) {
        const { handle } = await start(script, { schedule })
        const end = await finish(handle)
        expect(end.document).toMatchObject({ status: 'completed', verdict })
        expect(end.files).toEqual([...files, 'status.json'].sort())
        expect(end.status).toMatchObject({ status: verdict, phase: 'completed' })
        expect(end.status['phases']).toEqual(phasesUpTo(verdict))
      }
    },
  )

  it.each([
    ['reproduce', { reproduce: fails('Tool.Failed') }, 'error', PHASE_ONE.slice(2)],
    ['reproduce (inconclusive)', { reproduce: { outcome: 'inconclusive' } }, 'error', PHASE_ONE],
    ['minimize', { minimize: fails('Tool.TimedOut') }, 'error', [...PHASE_ONE, ...DUPLICATES]],
    ['generate_issue', { generate_issue: fails('Tool.Failed') }, 'error', PHASE_TWO],
  ] as [string, Partial<FakeScript>, string, string[]][])(
    'fails the workflow when %s fails, keeping what was done',
    async (_, script, verdict, files) => {
      const { handle } = await start(script)
      await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError)
      const end = await finish(handle)
      expect(end.document).toMatchObject({ status: 'failed', verdict })
      expect(end.files).toEqual([...files, 'status.json'].sort())
      expect(end.status).toMatchObject({ status: 'error', phase: 'completed' })
      expect(Object.values(end.status['phases'] as object).filter((word) => word === 'failed')).toHaveLength(1)
    },
  )

  it.each([
    ['root cause fails: the fallback from error.txt takes its place', { root_cause_analysis: fails('Tool.Failed') }],
    ['root cause and its fallback fail', { root_cause_analysis: fails('Tool.Failed'), fallback: fails('Tool.Failed') }],
    ['validate fails', { validate: fails('Tool.Failed') }],
    ['the duplicate search fails', { check_duplicates: fails('GitHub.Denied') }],
  ] as [string, Partial<FakeScript>][])('still writes the report when %s', async (_, script) => {
    const { handle } = await start(script)
    expect((await finish(handle)).document).toMatchObject({ status: 'completed', verdict: 'report_ready' })
  })

  it('tries a timed out step once more, visibly, and counts the attempt', async () => {
    const { key, handle } = await start({
      minimize: { outcome: 'done', failFirst: { times: 1, type: 'Tool.TimedOut' } },
    })
    expect((await finish(handle)).document.verdict).toBe('report_ready')
    const state = await handle.query(stateQuery)
    expect(state.steps.find((step) => step.name === 'minimize')).toMatchObject({ attempt: 2, status: 'passed' })
    expect(calls.filter((call) => call === `${key}/minimize`)).toHaveLength(2)
  })

  it('waits out a rate limit as long as the server asks', async () => {
    const failFirst = { times: 1, type: 'GitHub.Limited' as const, retryAfterMs: 1_000 }
    const { handle } = await start({ check_duplicates: { outcome: 'new', failFirst } })
    expect((await finish(handle)).document.verdict).toBe('report_ready')
  })

  it('cancels the reduction when the crash does not reproduce', async () => {
    const { handle } = await start({ reproduce: { outcome: 'no' }, minimize: { outcome: 'done', ms: 60_000 } })
    expect((await finish(handle)).document.verdict).toBe('reproduce_failed')
    const state = await handle.query(stateQuery)
    expect(state.steps.find((step) => step.name === 'minimize')?.status).toBe('canceled')
    expect(state.steps.at(-1)).toMatchObject({ name: 'generate_issue', status: 'skipped', attempt: 0 })
  })

  it('answers the state query with its contract', async () => {
    const { handle } = await start({})
    await handle.result()
    expect(RunState.parse(await handle.query(stateQuery))).toMatchObject({
      phase: 'completed',
      verdict: 'report_ready',
    })
    expect(ResultDocument.parse((await patientQuery(() => handle.query(viewQuery))).result).verdict).toBe(
      'report_ready',
    )
  })
})

describe('a probable duplicate', () => {
  const probable: Partial<FakeScript> = { check_duplicates: { outcome: 'duplicate' } }

  it('waits for a person, refuses what does not fit, and takes the update', async () => {
    const { handle } = await start(probable, { answer_within_seconds: 3600 })
    await untilQuestion(handle)
    await expect(handle.executeUpdate(answerUpdate, { args: [{ question: 'other' }] })).rejects.toThrow()
    await expect(
      handle.executeUpdate(answerUpdate, { args: [{ question: 'duplicate', option: 'maybe' }] }),
    ).rejects.toThrow()
    const receipt = await handle.executeUpdate(answerUpdate, {
      args: [{ question: 'duplicate', option: 'duplicate', by: 'ann' }],
    })
    expect(receipt).toEqual({ question: 'duplicate', answer: 'duplicate' })
    expect((await finish(handle)).document.verdict).toBe('duplicate')
    await expect(
      handle.executeUpdate(answerUpdate, { args: [{ question: 'duplicate', option: 'report' }] }),
    ).rejects.toThrow()
  })

  it('takes the same answer by signal, and ignores one that does not fit', async () => {
    const { handle } = await start(probable, { answer_within_seconds: 3600 })
    await untilQuestion(handle)
    await handle.signal(answerSignal, { question: 'duplicate', option: 'nonsense' })
    await handle.signal(answerSignal, { question: 'duplicate', option: 'report' })
    expect((await finish(handle)).document.verdict).toBe('report_ready')
  })

  it('takes the default when the deadline passes', async () => {
    const { handle } = await start({ check_duplicates: { outcome: 'corroborated' } }, { answer_within_seconds: 1 })
    expect((await finish(handle)).document.verdict).toBe('duplicate')
    const [question] = (await handle.query(stateQuery)).questions
    expect(question).toMatchObject({ answer: 'duplicate', answered_by: 'default' })
  })
})

describe('people', () => {
  it('pause holds the next steps back, resume lets them go', async () => {
    const { key, handle } = await start({ minimize: { outcome: 'done', ms: 300 } })
    await handle.signal(pauseSignal)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect((await handle.query(stateQuery)).status).toBe('paused')
    expect(calls).not.toContain(`${key}/validate`)
    await handle.signal(resumeSignal)
    expect((await finish(handle)).document.verdict).toBe('report_ready')
  })

  it('abort ends honestly and keeps what is done', async () => {
    const { handle } = await start({ minimize: { outcome: 'done', ms: 60_000 } })
    await untilStep(handle, 'check_duplicates', 'passed')
    await handle.signal(abortSignal, 'wrong case')
    const end = await finish(handle)
    expect(end.document).toMatchObject({ status: 'aborted', verdict: 'aborted', reason: 'wrong case' })
    expect(end.files).toEqual([...PHASE_ONE, ...DUPLICATES, 'status.json'].sort())
    expect(end.status['phases']).toEqual({ phase1: 'completed', phase2: 'canceled', phase3: 'skipped' })
  })

  it('abort ends a run that waits for an answer', async () => {
    const { handle } = await start({ check_duplicates: { outcome: 'duplicate' } }, { answer_within_seconds: 3600 })
    await untilQuestion(handle)
    await handle.signal(abortSignal, '')
    expect((await finish(handle)).document.status).toBe('aborted')
  })

  it('cancel stops the steps, leaves a result, and closes the workflow as cancelled', async () => {
    const { handle } = await start({ minimize: { outcome: 'done', ms: 60_000 } })
    await untilStep(handle, 'check_duplicates', 'passed')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow()
    expect((await handle.describe()).status.name).toBe('CANCELLED')
    expect((await patientQuery(() => handle.query(viewQuery))).result).toMatchObject({
      status: 'canceled',
      verdict: 'canceled',
    })
  })

  it('guide keeps the text for the next prompts', async () => {
    const { handle } = await start({ minimize: { outcome: 'done', ms: 300 } })
    await handle.signal(guideSignal, 'look at the layers')
    expect((await finish(handle)).document.verdict).toBe('report_ready')
  })
})

describe('a workflow started by hand', () => {
  it.each([
    ['nothing', undefined, /^input: \(document\): expected object/],
    ['a wrong field', { ...fakeInput('x'), language: 'vhdl' }, /^input: language: .*got "vhdl"/],
    ['a path out of the folder', { ...fakeInput('x'), source: { name: '../etc/passwd' } }, /^input: source\.name: /],
  ])('with %s ends at once and names the field', async (_, input, message) => {
    const error = await env.client.workflow
      .execute('circtBugReport', { taskQueue: queueOf(STORE), workflowId: `circt/bad-${(count += 1)}`, args: [input] })
      .catch((caught: unknown) => caught)
    const cause = error instanceof WorkflowFailedError ? error.cause : null
    expect(cause).toMatchObject({ type: 'Contract.Violated', message: expect.stringMatching(message) })
  })
})

async function untilStep(handle: Handle, name: string, status: string): Promise<void> {
  await expect
    .poll(async () => (await handle.query(stateQuery)).steps.find((step) => step.name === name)?.status, {
      timeout: 10_000,
    })
    .toBe(status)
}

async function untilQuestion(handle: Handle): Promise<void> {
  await expect.poll(async () => (await handle.query(stateQuery)).status, { timeout: 10_000 }).toBe('waiting')
}
