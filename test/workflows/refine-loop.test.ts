import '../support/quiet-temporal.js'
import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { type RefineInput, RefineResult } from '../../src/contracts/refine.js'
import { ResultDocument, RunState } from '../../src/contracts/run.js'
import { queueOf } from '../../src/rules/task-queues.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import {
  abortSignal,
  answerUpdate,
  guideSignal,
  pauseSignal,
  resumeSignal,
  stateQuery,
  viewQuery,
} from '../../src/workflows/messages.js'
import type { refineLoop } from '../../src/workflows/refine-loop.js'
import { aRun, git, type Run } from '../support/git-repository.js'
import { patientQuery } from '../support/patient-query.js'
import { refineDoor, refineInput, reviewed, scored, startRefineWorker, wrote } from '../support/refine-run.js'
import { devServerEnv } from '../support/temporal.js'

const STORE = 'refineloop'
let env: TestWorkflowEnvironment
let run: Run
let door: AskSetup
let stop: () => Promise<void>

beforeAll(async () => {
  env = await devServerEnv()
  run = await aRun({ 'src/db.py': 'def find(name):\n    pass\n', 'pyproject.toml': 'deps = ["fastapi"]' })
  door = refineDoor(run)
  stop = await startRefineWorker(env.nativeConnection, STORE, door)
})

afterAll(async () => {
  await stop?.()
  await env?.teardown()
})

let count = 0

/** They run side by side, on machines that may be busy. */
const PATIENCE = { timeout: 120_000 }

async function start(answers: readonly object[], input: Partial<RefineInput> = {}) {
  const key = `case-${(count += 1)}`
  return await env.client.workflow.start<typeof refineLoop>('refineLoop', {
    taskQueue: queueOf(STORE),
    workflowId: `refine/${key}`,
    args: [await refineInput({ door, run, key, answers, input })],
  })
}

type Handle = Awaited<ReturnType<typeof start>>

/** The end, whichever it is; every history is replayed against today's code. */
async function finish(handle: Handle) {
  const document = await handle.result().catch((error: unknown) => {
    const cause = error instanceof WorkflowFailedError ? error.cause : null
    if (!(cause instanceof ApplicationFailure) || !cause.details?.length) throw error
    return ResultDocument.parse(cause.details[0])
  })
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle() }, await handle.fetchHistory())
  return { document, result: RefineResult.parse(document.result) }
}

async function ended(answers: readonly object[], input: Partial<RefineInput> = {}) {
  return await finish(await start(answers, input))
}

const injection = (line = 2, parts: object = {}) => ({
  severity: 'Critical' as const,
  type: 'SQL_INJECTION',
  file: 'src/db.py',
  line,
  description: 'built from a string',
  suggestion: 'bind it',
  ...parts,
})
const code = (text: string) => ({ 'src/db.py': `def find(name):\n    return db.run(${text})\n` })
const file = (commit: string, path: string) => git(run.repository.url, 'show', `${commit}:${path}`)

describe.concurrent('the loop', PATIENCE, () => {
  it('goes from round to round until one passes, each on the commit of the one before, and keeps that one as a branch', async () => {
    const { document, result } = await ended([
      wrote(1, code('"SELECT " + name')),
      reviewed('security', 1, { score: 75, issues: [injection()] }),
      reviewed('quality', 1, { score: 85 }),
      reviewed('performance', 1, { score: 90 }),
      wrote(2, code('QUERY, name')),
      ...scored(2, [100, 85, 90]),
    ])
    expect(document).toMatchObject({ status: 'completed', verdict: 'PASS' })
    expect(document.reason).toBe('round 2 of 5, overall 92.25: All checks passed')
    expect(result.rounds.map(({ round, overall, recommendation }) => [round, overall, recommendation])).toEqual([
      [1, 82.25, 'ITERATE'],
      [2, 92.25, 'PASS'],
    ])
    expect(result).toMatchObject({ best_round: 2, leftovers: [], granted_rounds: 0 })
    expect(git(run.repository.url, 'rev-parse', result.branch ?? '')).toBe(result.commit)
    expect(file(result.commit ?? '', 'src/db.py')).toContain('QUERY, name')
    expect(git(run.repository.url, 'rev-parse', `${result.commit}^`)).toBe(result.rounds[0]?.commit)
    const feedback = await door.store.get(result.rounds[0]?.feedback ?? { name: '', sha256: '' })
    expect(feedback.toString()).toContain('**SQL_INJECTION** - src/db.py:2')
  })

  it('shows the scores by round, and the steps of the round it is in', async () => {
    const handle = await start([
      wrote(1, code('1')),
      ...scored(1, [60, 60, 60]),
      wrote(2, code('2')),
      ...scored(2, [90, 90, 90]),
    ])
    await handle.result()
    const state = RunState.parse(await patientQuery(() => handle.query(stateQuery)))
    expect(state.scores).toEqual({
      rows: [
        { name: 'security', least: 85, scores: [60, 90] },
        { name: 'quality', least: 80, scores: [60, 90] },
        { name: 'performance', least: 80, scores: [60, 90] },
        { name: 'overall', least: 80, scores: [60, 90] },
      ],
      verdicts: ['ITERATE', 'PASS'],
      best: 2,
    })
    expect(state.steps.map(({ name, status, attempt, note }) => `${name} ${status} ${attempt} ${note}`)).toEqual([
      'tech stack skipped 0 given: Python',
      'code-writer passed 1 round 2: 1 file changed, 1 file to review, confidence 50 %',
      'security-reviewer passed 1 round 2: 90 points, 0 issues',
      'quality-checker passed 1 round 2: 90 points, 0 issues',
      'performance-analyzer passed 1 round 2: 90 points, 0 issues',
      'aggregate passed 1 round 2: PASS, overall 90: All checks passed',
      expect.stringMatching(/^best round passed 1 round 2, commit [0-9a-f]{12}$/),
    ])
  })

  it('is stalled after two rounds without progress; by default it ends with the best of them', async () => {
    const { document, result } = await ended(
      [70, 74, 73].flatMap((score, at) => [wrote(at + 1, code(`${at}`)), ...scored(at + 1, [score, score, score])]),
    )
    expect(document).toMatchObject({ status: 'completed', verdict: 'STALLED' })
    expect(result).toMatchObject({ best_round: 2, alarms: { oscillating: true } })
    expect(file(result.commit ?? '', 'src/db.py')).toContain('db.run(1)')
  })

  it('ends after the last round with the best one, names regression, and the persisting Critical issue that moves', async () => {
    const { document, result } = await ended(
      [95, 84, 70].flatMap((quality, at) => [
        wrote(at + 1, {
          'src/db.py': `${'# more\n'.repeat(at * 30)}def find(name):\n    return db.run("" + name)\n`,
        }),
        reviewed('security', at + 1, { score: 75 - at, issues: [injection(2 + at * 30)] }),
        reviewed('quality', at + 1, { score: quality }),
        reviewed('performance', at + 1, { score: 90 }),
      ]),
      { preset: 'mvp' as const, thresholds: { ...STANDARD, max_iterations: 3, stall_points: 0 } },
    )
    expect(document).toMatchObject({ status: 'completed', verdict: 'FAIL_MAX_ITERATIONS' })
    expect(result.alarms).toEqual({
      persisting: ['SQL_INJECTION src/db.py:62'],
      oscillating: false,
      regressions: [{ dimension: 'quality', from: 84, to: 70 }],
    })
    expect(result.best_round).toBe(1)
  })

  it('does not review the same code twice', async () => {
    const { document, result } = await ended(
      [wrote(1, code('1')), ...scored(1, [70, 70, 70]), wrote(2, {}), wrote(3, {})],
      { thresholds: { ...STANDARD, max_iterations: 3 } },
    )
    expect(document.verdict).toBe('FAIL_MAX_ITERATIONS')
    expect(result.rounds.map(({ is_unchanged, overall }) => [is_unchanged, overall])).toEqual([
      [false, 70],
      [true, 70],
      [true, 70],
    ])
  })

  it('detects the tech stack when none is given', async () => {
    const { result } = await ended([wrote(1, code('1')), ...scored(1, [90, 90, 90])], { tech_stack: null })
    expect(result.tech_stack).toMatchObject({ language: 'Python', framework: 'FastAPI' })
  })

  it('leaves out what is not so, and says how much', async () => {
    const lies = [injection(99), injection(2, { file: 'gone.py' }), injection(2, { code_snippet: 'eval(x)' })]
    const { document, result } = await ended([
      wrote(1, code('1')),
      reviewed('security', 1, { score: 25, issues: lies }),
      reviewed('quality', 1, { score: 90 }),
      reviewed('performance', 1, { score: 90 }),
    ])
    expect(document.verdict).toBe('PASS')
    expect(result.rounds[0]).toMatchObject({ refuted: 3, scores: { security: 100 }, issue_counts: { critical: 0 } })
  })
})

const STANDARD = {
  critical_max: 0 as const,
  high_max: 2,
  security_min: 85,
  quality_min: 80,
  performance_min: 80,
  overall_min: 80,
  max_iterations: 5,
  stall_points: 5,
}

describe.concurrent('what cannot be had', PATIENCE, () => {
  it('a review that cannot be had ends the run in error: no dimension is ever 0 or 100', async () => {
    const [security = {}, quality = {}] = scored(1, [90, 90, 90])
    const broken = { role: 'performance-analyzer', round: 1, fail: 'Agent.Rejected', message: 'no key' }
    const { document, result } = await ended([wrote(1, code('1')), security, quality, broken])
    expect(document).toMatchObject({ status: 'failed', verdict: 'error', reason: 'performance-analyzer: no key' })
    expect(result).toMatchObject({ rounds: [], best_round: null, commit: null })
  })

  it('an answer in the wrong shape is asked for again, twice, each try visible', async () => {
    const handle = await start([
      wrote(1, code('1')),
      { role: 'security-reviewer', attempt: 1, text: 'looks fine to me' },
      { role: 'security-reviewer', attempt: 2, answer: { passed: true, score: 101, issues: [], summary: {} } },
      { ...reviewed('security', 1, { score: 90 }), attempt: 3 },
      reviewed('quality', 1, { score: 90 }),
      reviewed('performance', 1, { score: 90 }),
    ])
    expect((await finish(handle)).document.verdict).toBe('PASS')
    const { steps } = await handle.query(stateQuery)
    expect(steps.find(({ name }) => name === 'security-reviewer')).toMatchObject({ attempt: 3, status: 'passed' })
  })

  it('a person may have the missing review tried again', async () => {
    const handle = await start(
      [
        wrote(1, code('1')),
        ...scored(1, [90, 90, 90]).slice(0, 2),
        { role: 'performance-analyzer', step: 'performance-review', fail: 'Agent.Rejected' },
        { ...reviewed('performance', 1, { score: 90 }), step: 'performance-review-again-1' },
      ],
      { answer_within_seconds: 3600 },
    )
    await answer(handle, 'reviewers-1', 'retry')
    expect((await finish(handle)).document.verdict).toBe('PASS')
  })

  it('a writer that leaves nothing has nothing reviewed', async () => {
    const { document } = await ended([wrote(1, {})])
    expect(document).toMatchObject({
      status: 'failed',
      verdict: 'error',
      reason: 'code-writer: left nothing to review: no file differs from where the work began',
    })
  })

  it("a writer that changes the change's own documents is told so, and its attempt does not count", async () => {
    const openspec = {
      change: 'add',
      folder: 'openspec/changes/add',
      documents: [],
      task: { number: '1.1', text: 'Add' },
    }
    const evil = wrote(1, { 'openspec/changes/add/tasks.md': '- [x] 1.1 Add\n' }, { step: 'writer' })
    const handle = await start([evil, wrote(1, code('1'), { step: 'writer-again-1' }), ...scored(1, [90, 90, 90])], {
      openspec,
    })
    const { document, result } = await finish(handle)
    expect(document.verdict).toBe('PASS')
    expect(git(run.repository.url, 'ls-tree', '-r', '--name-only', result.commit ?? '')).not.toContain('openspec')
    expect(result.openspec).toEqual({ change: 'add', task: '1.1 Add', is_ticked: true })
    const { files } = await patientQuery(() => handle.query(viewQuery))
    expect(files).toMatchObject([
      {
        path: 'openspec/changes/add/context.md',
        openspec: { kind: 'context', sessions: [{ completed_tasks: ['1.1 Add'] }] },
      },
      { path: 'openspec/changes/add/tasks.md', openspec: { kind: 'tick', task: { number: '1.1' } } },
    ])
  })

  it('an exhausted budget is an end of its own that keeps the best round', async () => {
    const { document, result } = await ended([wrote(1, code('1')), ...scored(1, [70, 70, 70])], {
      budget: { tokens: null, cost: null, rounds: 4, seconds: null },
    })
    expect(document).toMatchObject({ status: 'budget_exhausted', verdict: 'budget_exhausted' })
    expect(result).toMatchObject({ best_round: 1, commit: expect.any(String) })
  })

  it('names answers of a script that nobody asked for', async () => {
    const { result } = await ended([wrote(1, code('1')), ...scored(1, [90, 90, 90]), wrote(7, {})])
    expect(result.leftovers).toHaveLength(1)
  })
})

describe.concurrent('people', PATIENCE, () => {
  it('guide the writer after a stall, grant rounds after the last, and stop without taking anything', async () => {
    const rounds = [70, 71, 72, 73].flatMap((score, at) => [
      wrote(at + 1, code(`${at}`)),
      ...scored(at + 1, [score, score, score]),
    ])
    const handle = await start(rounds, { answer_within_seconds: 3600, thresholds: { ...STANDARD, max_iterations: 3 } })
    await answer(handle, 'max-iterations-1', 'grant_1')
    await answer(handle, 'max-iterations-2', 'stop')
    const { document, result } = await finish(handle)
    expect(document.verdict).toBe('FAIL_MAX_ITERATIONS')
    expect(result).toMatchObject({ granted_rounds: 1, best_round: 4, branch: null, commit: null })
    expect(result.thresholds_used.max_iterations).toBe(4)
  })

  it('what they say reaches the next prompt', async () => {
    const rounds = [70, 71, 72].flatMap((score, at) => [
      wrote(at + 1, code(`${at}`)),
      ...scored(at + 1, [score, score, score]),
    ])
    const handle = await start([...rounds, wrote(4, code('4')), ...scored(4, [90, 90, 90])], {
      answer_within_seconds: 3600,
    })
    await untilWaiting(handle)
    await handle.signal(guideSignal, 'mind the index')
    await answer(handle, 'stalled-1', 'continue')
    expect((await finish(handle)).document.verdict).toBe('PASS')
    const transcripts = await ordersOf(handle, 'askAgent')
    const last = transcripts.filter(({ role }) => role === 'code-writer').at(-1)
    expect(last?.input).toMatchObject({
      round: 4,
      guidance: ['mind the index'],
      notes: [expect.stringContaining('6 points')],
    })
  })

  it('pause holds the next step back', async () => {
    const handle = await start([wrote(1, code('1'), { delay_ms: 300 }), ...scored(1, [90, 90, 90])])
    await handle.signal(pauseSignal)
    await new Promise((resolve) => setTimeout(resolve, 900))
    const { status, steps } = await patientQuery(() => handle.query(stateQuery))
    expect(status).toBe('paused')
    expect(steps.find(({ name }) => name === 'security-reviewer')?.status).toBe('pending')
    await handle.signal(resumeSignal)
    expect((await finish(handle)).document.verdict).toBe('PASS')
  })

  it('abort stops the agents, ends honestly, and keeps the best round', async () => {
    const handle = await start([
      wrote(1, code('1')),
      ...scored(1, [70, 70, 70]),
      wrote(2, code('2'), { delay_ms: 60_000 }),
    ])
    await expect.poll(() => phaseOf(handle), { timeout: 90_000 }).toBe('round 2 of 5')
    await handle.signal(abortSignal, 'wrong idea')
    const { document, result } = await finish(handle)
    expect(document).toMatchObject({ status: 'aborted', verdict: 'aborted', reason: 'wrong idea' })
    expect(result).toMatchObject({ best_round: 1, commit: result.rounds[0]?.commit })
  })

  it('cancel leaves a result too, and closes the workflow as cancelled', async () => {
    const handle = await start([
      wrote(1, code('1')),
      ...scored(1, [70, 70, 70]),
      wrote(2, code('2'), { delay_ms: 60_000 }),
    ])
    await expect.poll(() => phaseOf(handle), { timeout: 90_000 }).toBe('round 2 of 5')
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow()
    expect((await handle.describe()).status.name).toBe('CANCELLED')
    const { result } = await patientQuery(() => handle.query(viewQuery))
    expect(result).toMatchObject({ status: 'canceled', result: { best_round: 1 } })
  })
})

describe('a workflow started by hand', () => {
  it.each([
    ['nothing', undefined, /^input: \(document\): expected/],
    [
      'weights that do not add up',
      { weights: { security: 1, quality: 1, performance: 1 } },
      /^input: weights: .*not 3/,
    ],
    ['no base', { base: 'HEAD' }, /^input: base: expected 40 or 64/],
    [
      'an OpenSpec folder outside',
      { openspec: { change: 'a', folder: '../x', documents: [], task: null } },
      /^input: openspec\.folder: /,
    ],
  ])('with %s ends at once and names the field', async (_, wrong, message) => {
    const good = await refineInput({ door, run, key: 'bad', answers: [] })
    const args = wrong === undefined ? [] : [{ ...good, ...wrong }]
    const id = `refine/bad-${(count += 1)}`
    const error = await env.client.workflow
      .execute('refineLoop', { taskQueue: queueOf(STORE), workflowId: id, args })
      .catch((caught: unknown) => caught)
    const cause = error instanceof WorkflowFailedError ? error.cause : null
    expect(cause).toMatchObject({ type: 'Contract.Violated', message: expect.stringMatching(message) })
  })
})

async function phaseOf(handle: Handle): Promise<string> {
  return (await patientQuery(() => handle.query(stateQuery))).phase
}

async function untilWaiting(handle: Handle): Promise<void> {
  await expect.poll(async () => (await handle.query(stateQuery)).status, { timeout: 90_000 }).toBe('waiting')
}

async function answer(handle: Handle, question: string, option: string): Promise<void> {
  const open = async () =>
    (await handle.query(stateQuery)).questions.filter((each) => each.answer === null).map(({ id }) => id)
  await expect.poll(open, { timeout: 90_000 }).toEqual([question])
  await handle.executeUpdate(answerUpdate, { args: [{ question, option, by: 'ann' }] })
}

/** What an activity was told, in order, from history. */
async function ordersOf(handle: Handle, activity: string): Promise<{ role: string; input: object }[]> {
  const { events = [] } = await handle.fetchHistory()
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: told }) => {
    const data = told?.activityType?.name === activity ? told.input?.payloads?.[0]?.data : null
    return data ? [JSON.parse(Buffer.from(data).toString('utf8')) as { role: string; input: object }] : []
  })
}
