import '../support/quiet-temporal.js'
import { WorkflowFailedError } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AgentResult } from '../../src/contracts/phase-agent-result.js'
import { type PhaseInput, PhaseResult } from '../../src/contracts/phase-run.js'
import { ResultDocument, type RunState } from '../../src/contracts/run.js'
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
import type { phasePipeline } from '../../src/workflows/phase-pipeline.js'
import { memoryStore } from '../support/memory-store.js'
import { patientQuery } from '../support/patient-query.js'
import { BASE, commitOf, openScene, phaseInput, type PhaseScene, type PhaseScript } from '../support/phase-fakes.js'
import { someTask } from '../support/phase-tasks.js'
import { startPhaseWorker } from '../support/phase-worker.js'
import { devServerEnv } from '../support/temporal.js'

// All of a group at once, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const store = memoryStore('phaseflow')
const scenes = new Map<string, PhaseScene>()
let env: TestWorkflowEnvironment
let stop: () => Promise<void>

beforeAll(async () => {
  env = await devServerEnv()
  stop = await startPhaseWorker({ connection: env.nativeConnection, store, scenes })
})

afterAll(async () => {
  await stop?.()
  await env?.teardown()
})

let count = 0

async function start(script: Partial<PhaseScript>, overrides: Partial<PhaseInput> = {}) {
  const key = `run-${(count += 1)}`
  const scene = openScene({ plan: [someTask(1)], say: {}, ...script })
  scenes.set(key, scene)
  const handle = await env.client.workflow.start<typeof phasePipeline>('phasePipeline', {
    taskQueue: queueOf(store.id),
    workflowId: `phase/${key}`,
    args: [phaseInput(key, overrides)],
  })
  return { handle, log: scene.log }
}

type Handle = Awaited<ReturnType<typeof start>>['handle']

async function finish(handle: Handle): Promise<{ document: ResultDocument; result: PhaseResult; state: RunState }> {
  const document = await handle.result().catch((error: unknown) => {
    const cause = error instanceof WorkflowFailedError ? error.cause : null
    if (!(cause instanceof ApplicationFailure) || !cause.details?.length) throw error
    return cause.details[0]
  })
  const parsed = ResultDocument.parse(document)
  const state = await patientQuery(() => handle.query(stateQuery))
  return { document: parsed, result: PhaseResult.parse(parsed.result), state }
}

const run = async (script: Partial<PhaseScript>, overrides: Partial<PhaseInput> = {}) => {
  const { handle, log } = await start(script, overrides)
  return { ...(await finish(handle)), log, handle }
}

const three = [someTask(1), someTask(2, { dependencies: ['TASK-001'] }), someTask(3, { estimatedComplexity: 'high' })]

describe.concurrent('a run in which all goes well', () => {
  it('takes each task through its phases, merges it, judges the result and publishes a branch', async () => {
    const { document, result, log } = await run({ plan: three })
    expect(document).toMatchObject({ status: 'completed', verdict: 'accepted', pipeline: 'phase' })
    expect(document.reason).toBe('3 of 3 tasks completed; the gates pass on the merged result')
    expect(result.tasks.map(({ status, seen_red }) => [status, seen_red])).toEqual([
      ['completed', true],
      ['completed', true],
      ['completed', true],
    ])
    expect(result.branch).toMatch(/^refs\/heads\/gauntlet\/.+\/result$/)
    expect(result.quality?.overallStatus).toBe('pass')
    const first = log.calls.filter((call) => call.startsWith('TASK-001') && !call.includes('merge'))
    expect(first).toEqual([
      'TASK-001/tdd-agent/1',
      'TASK-001/tdd/1',
      'TASK-001/develop-agent/1',
      'TASK-001/develop/1',
      'TASK-001/verify/1',
      'TASK-001/accept-agent/1',
    ])
    expect(log.calls.slice(-2)).toEqual(['gates/1', 'branch/1'])
  })

  it('starts a task from what those before it have made', async () => {
    const { log } = await run({ plan: three.slice(0, 2) })
    const of = (id: string, role: string) => log.agents.find((order) => order.task_id === id && order.role === role)
    const first = of('TASK-001', 'coder')
    expect(of('TASK-001', 'tester')?.workspace?.commit).toBe(BASE)
    expect(first?.workspace?.commit).toBe(commitOf(first?.run_id ?? '', 'TASK-001-tdd', 1))
    expect(of('TASK-002', 'tester')?.workspace?.commit).toBe(commitOf(first?.run_id ?? '', 'TASK-001-develop', 1))
  })

  it("protects the tester's files from the coder, and from nobody else", async () => {
    const { log } = await run({})
    const files = log.agents.map(({ role, workspace }) => [role, workspace?.protected])
    expect(files).toEqual([
      ['planner', []],
      ['tester', []],
      ['coder', ['test/TASK-001.test.ts']],
      ['reviewer', []],
    ])
  })

  it('gives agents the time of their phase and complexity', async () => {
    const { log } = await run({ plan: [someTask(1, { estimatedComplexity: 'high' })] })
    expect(log.agents.slice(1).map(({ role, limit_seconds }) => [role, limit_seconds])).toEqual([
      ['tester', 600],
      ['coder', 1_200],
      ['reviewer', 180],
    ])
  })

  it('writes the memory as files, and keeps what Verify and Accept came to', async () => {
    const { handle } = await run({})
    const { files } = await patientQuery(() => handle.query(viewQuery))
    const text = (path: string) => files.flatMap((file) => (file.path === path && 'text' in file ? [file.text] : []))[0]
    expect(text('.openmatrix/context.md')).toContain(
      '## Decision [planner]\n- **Task**: TASK-000\n- **Decision**: Created task breakdown',
    )
    expect(text('.openmatrix/context.md')).toContain(
      '## Accept Complete [reviewer]\n- **Task**: TASK-001\n- **Score**: 8/10',
    )
    expect(text('.openmatrix/tasks/TASK-001/context.md')).toBe(
      '## TDD Complete\n- Test file: test/TASK-001.test.ts\n- Tests failing: 1\n\n' +
        '## Develop Complete\n- Implementation files: 1\n\n## Verify Complete\n- All quality gates passed\n',
    )
    const paths = files.map(({ path }) => path)
    expect(text('.openmatrix/.gitignore')).toBe('*\n')
    const results = JSON.parse(text('.openmatrix/tasks/TASK-001/results.json') ?? '') as AgentResult[]
    expect(results.map(({ agentType, status }) => [agentType, status])).toEqual([
      ['tester', 'success'],
      ['coder', 'success'],
      ['executor', 'success'],
      ['reviewer', 'success'],
    ])
    for (const name of ['plan.json', 'quality.json', 'tasks/TASK-001/verify.json', 'tasks/TASK-001/accept.json'])
      expect(paths).toContain(`.openmatrix/${name}`)
  })

  it('tells each agent what those before have left', async () => {
    const { log } = await run({ plan: three.slice(0, 2) })
    const brief = (id: string, role: string) => {
      const order = log.agents.find((each) => each.task_id === id && each.role === role)
      return (order?.input as { brief: { memory: string } } | undefined)?.brief.memory
    }
    expect(brief('TASK-001', 'coder')).toContain('## TDD Complete')
    expect(brief('TASK-002', 'tester')).toContain('## Accept Complete [reviewer]\n- **Task**: TASK-001')
    expect(brief('TASK-002', 'tester')).not.toContain('## TDD Complete')
  })
})

describe.concurrent('mistakes are caught and mended', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['tests that pass at once', { 'TASK-001/tdd/1': 'already_passing' }, ['TASK-001/tdd-agent/2', 'TASK-001/tdd/2']],
    ['tests that do not load', { 'TASK-001/tdd/1': 'not_collected' }, ['TASK-001/tdd-agent/2']],
    ['a coder who changes the tests', { 'TASK-001/develop-agent/1': 'trespass' }, ['TASK-001/develop-agent/2']],
    [
      'a coder who is red twice',
      { 'TASK-001/develop/1': 'still_red', 'TASK-001/develop/2': 'still_red' },
      ['TASK-001/develop/3'],
    ],
    ['gates that fail', { 'TASK-001/verify/1': 'fail' }, ['TASK-001/develop/2', 'TASK-001/verify/2']],
    [
      'a review with blockers',
      { 'TASK-001/accept-agent/1': 'not_approved' },
      ['TASK-001/develop/2', 'TASK-001/verify/2', 'TASK-001/accept-agent/2'],
    ],
    ['an answer that does not fit', { 'TASK-001/tdd-agent/1': 'Agent.InvalidAnswer' }, ['TASK-001/tdd-agent/2']],
    ['a plan with a cycle', { 'plan/1': 'Agent.InvalidAnswer' }, ['plan/2']],
    [
      'a coder who is red three times: a researcher looks',
      { 'TASK-001/develop/1': 'still_red', 'TASK-001/develop/2': 'still_red', 'TASK-001/develop/3': 'still_red' },
      ['TASK-001/diagnose-agent/1', 'TASK-001/develop/4'],
    ],
    [
      'a coder who lacks something: a researcher looks',
      { 'TASK-001/develop-agent/1': 'blocked', 'TASK-001/develop/1': 'still_red' },
      ['TASK-001/diagnose-agent/1'],
    ],
  ])('%s', async (_, say, calls) => {
    const { document, log, result } = await run({ say })
    expect(document.verdict).toBe('accepted')
    expect(log.calls).toEqual(expect.arrayContaining(calls))
    // Who says what is missing has made no mistake.
    const words = Object.values(say)
    expect(result.caught).toHaveLength(words.includes('blocked') ? 0 : words.length)
  })

  it('and told in the result, with the attempts of the plan that it took', async () => {
    const say = { 'plan/1': 'Agent.InvalidAnswer', 'TASK-001/tdd/1': 'already_passing', 'TASK-001/verify/1': 'fail' }
    const { result, state } = await run({ say })
    expect(result.caught).toEqual([
      { task: null, phase: 'plan', what: 'fake plan/1' },
      { task: 'TASK-001', phase: 'tdd', what: 'measured: already_passing' },
      { task: 'TASK-001', phase: 'verify', what: 'lint failed: 1 error' },
    ])
    expect(state.steps.find(({ name }) => name === 'plan')).toMatchObject({
      attempt: 2,
      status: 'passed',
      note: '1 tasks',
    })
  })

  it('tells the next attempt what was wrong', async () => {
    const { log } = await run({
      say: {
        'TASK-001/develop/1': 'still_red',
        'TASK-001/verify/1': 'fail',
        'TASK-001/accept-agent/1': 'not_approved',
      },
    })
    const told = log.agents
      .filter(({ role }) => role === 'coder')
      .map(({ input }) => input as { why: string; complaint: string })
    expect(told.map(({ why, complaint }) => [why, complaint])).toEqual([
      ['first', null],
      ['again', 'measured: still_red'],
      ['gates', 'lint failed: 1 error'],
      ['review', 'Review not approved: no documentation'],
    ])
  })

  it('an executor that a person named says what it saw, and what was measured decides', async () => {
    const agents = [
      { role: '*', agent: 'script-fake' },
      { role: 'executor', agent: 'script-fake' },
    ] as const
    const { document, log } = await run({ say: { 'TASK-001/executor-agent/1': 'disagrees' } }, { agents: [...agents] })
    expect(document.verdict).toBe('accepted')
    const reviewer = log.agents.find(({ role }) => role === 'reviewer')
    expect(reviewer?.input).toMatchObject({ brief: { suggestions: ['build: measured pass, said to be fail'] } })
  })

  it('asks after GREEN for the tests that were seen RED', async () => {
    const { log } = await run({})
    expect(log.tests.map(({ phase, red }) => [phase, red])).toEqual([
      ['tdd', []],
      ['develop', [{ name: 'TASK-001 works', file: 'test/TASK-001.test.ts' }]],
    ])
  })

  it('starts after changed tests from before the change, and after red from the red commit', async () => {
    const { log } = await run({ say: { 'TASK-001/develop-agent/1': 'trespass', 'TASK-001/develop/1': 'still_red' } })
    const coders = log.agents.filter(({ role }) => role === 'coder')
    const id = coders[0]?.run_id ?? ''
    expect(coders.map(({ workspace }) => workspace?.commit)).toEqual([
      commitOf(id, 'TASK-001-tdd', 1),
      commitOf(id, 'TASK-001-tdd', 1),
      commitOf(id, 'TASK-001-develop', 2),
    ])
  })

  it('an agent that says it is blocked is not believed when the tests are green', async () => {
    const { document, log } = await run({ say: { 'TASK-001/develop-agent/1': 'blocked' } })
    expect(document.verdict).toBe('accepted')
    expect(log.calls).not.toContain('TASK-001/diagnose-agent/1')
  })
})

describe.concurrent('what a run comes to', () => {
  it.each<[string, Partial<PhaseScript>, Partial<PhaseInput>, Partial<ResultDocument>]>([
    ['a task that stays red', { say: redFor('TASK-001') }, {}, { status: 'completed', verdict: 'blocked' }],
    [
      'one blocked, one completed',
      { plan: [someTask(1), someTask(2)], say: redFor('TASK-001') },
      {},
      { verdict: 'partly' },
    ],
    ['gates that fail on the result', { say: { 'gates/1': 'fail' } }, {}, { verdict: 'gates_failed' }],
    [
      'gates that cannot be measured on the result',
      { say: { 'gates/1': 'unverified' } },
      {},
      { verdict: 'unverified' },
    ],
    ['gates that cannot be run', { say: { 'gates/1': 'Tool.Missing' } }, {}, { status: 'failed', verdict: 'error' }],
    ['an unverified task', { say: { 'TASK-001/verify/1': 'unverified' } }, {}, { verdict: 'blocked' }],
    [
      'a planner that cannot be asked',
      { say: { 'plan/1': 'Agent.Rejected' } },
      {},
      { status: 'failed', verdict: 'error' },
    ],
    [
      'a planner that has no good plan',
      { say: Object.fromEntries([1, 2, 3, 4].map((n) => [`plan/${n}`, 'Agent.InvalidAnswer'])) },
      {},
      { status: 'completed', verdict: 'no_plan' },
    ],
    [
      'a coder that cannot be asked',
      { say: { 'TASK-001/develop-agent/1': 'Agent.Rejected' } },
      {},
      { verdict: 'blocked' },
    ],
    ['a plan that nobody approved', {}, { approvals: ['plan'] }, { status: 'completed', verdict: 'not_approved' }],
    ['a merge that nobody approved', {}, { approvals: ['merge'] }, { verdict: 'not_approved' }],
    [
      'a project that cannot be read',
      { say: { 'prepare/1': 'Tool.Missing' } },
      {},
      { status: 'failed', verdict: 'error' },
    ],
  ])('%s', async (_, script, overrides, expected) => {
    expect((await run(script, overrides)).document).toMatchObject(expected)
  })

  it('names the tasks that could not start, and by what', async () => {
    const { result, state } = await run({ plan: three, say: redFor('TASK-001') })
    expect(result.tasks.map(({ id, status }) => [id, status])).toEqual([
      ['TASK-001', 'blocked'],
      ['TASK-002', 'not_started'],
      ['TASK-003', 'completed'],
    ])
    expect(result.tasks[1]?.block).toEqual({
      reason: 'not started: TASK-001, which it depends on, was not completed',
      type: 'dependency',
      missingInfo: ['TASK-001'],
    })
    expect(result.tasks[0]?.block).toMatchObject({
      reason: 'Tests still failing after implementation',
      type: 'information',
    })
    expect(state.questions).toMatchObject([{ id: 'TASK-001-blocked-1', answer: 'skip', answered_by: 'default' }])
  })

  it('says what ran without a sandbox', async () => {
    expect((await run({ isSandboxed: false })).result.notes).toEqual(['unsandboxed: TASK-001'])
  })

  it('a plan alone, when that was asked for', async () => {
    const { document, result, log } = await run({ plan: three }, { plan_only: true })
    expect(document).toMatchObject({ status: 'completed', verdict: 'planned', reason: '3 tasks' })
    expect(document.artifacts.map(({ name }) => name)).toEqual(['.openmatrix/plan.json'])
    expect(result.tasks.map(({ status }) => status)).toEqual(['not_started', 'not_started', 'not_started'])
    expect(log.agents.map(({ role }) => role)).toEqual(['planner'])
  })

  it('follows a plan that a person gave, and refuses one with a cycle', async () => {
    const good = await store.put('plan.json', JSON.stringify([someTask(1)]), 'application/json')
    const { document, log } = await run({ plan: [] }, { plan: good })
    expect(document.verdict).toBe('accepted')
    expect(log.agents.some(({ role }) => role === 'planner')).toBe(false)
    const cycle = await store.put(
      'plan.json',
      JSON.stringify([someTask(1, { dependencies: ['TASK-001'] })]),
      'application/json',
    )
    const refused = await run({}, { plan: cycle })
    expect(refused.document).toMatchObject({ status: 'failed', reason: expect.stringContaining('TASK-001 → TASK-001') })
  })
})

describe.concurrent('kinds of tasks', () => {
  it("a tester's task is red, and the coder's after it makes it green", async () => {
    const plan = [someTask(1, { agentType: 'tester' }), someTask(2, { dependencies: ['TASK-001'] })]
    const { document, result, log } = await run({ plan })
    expect(document.verdict).toBe('accepted')
    expect(log.agents.map(({ role }) => role)).toEqual(['planner', 'tester', 'coder', 'reviewer'])
    expect(log.agents[2]?.workspace?.protected).toEqual(['test/TASK-001.test.ts'])
    expect(result.notes).toEqual([])
  })

  it('red tests that nobody made green are kept apart, and told', async () => {
    const { document, result } = await run({ plan: [someTask(1, { agentType: 'tester' })] })
    expect(document).toMatchObject({ verdict: 'accepted', reason: '1 of 1 tasks completed; no file was changed' })
    expect(result.commit).toBe(BASE)
    expect(result.notes[0]).toMatch(/^the tests of TASK-001 are red and not part of the result: commit [0-9a-f]{40}$/)
  })

  it.each([
    ['researcher', ['researcher'], []],
    ['reviewer', ['reviewer'], []],
    ['executor', [], ['TASK-001/verify/1']],
  ] as const)("a %s's task does that alone", async (agentType, roles, calls) => {
    const { document, log } = await run({ plan: [someTask(1, { agentType })] })
    expect(document.verdict).toBe('accepted')
    expect(log.agents.slice(1).map(({ role }) => role)).toEqual(roles)
    expect(log.calls).toEqual(expect.arrayContaining([...calls]))
    expect(log.calls).not.toContain('gates/1')
  })

  it("a planner's task puts its tasks into the plan, and who waited for it waits for them", async () => {
    const plan = [someTask(1, { agentType: 'planner' }), someTask(2, { dependencies: ['TASK-001'] })]
    const nested = [someTask(1), someTask(2)]
    const { document, result, log } = await run({ plan, nested })
    expect(document.verdict).toBe('accepted')
    expect(result.tasks.map(({ id }) => id)).toEqual(['TASK-001', 'TASK-002', 'TASK-003', 'TASK-004'])
    const done = (id: string) => log.calls.indexOf(`${id}/accept-agent/1`)
    expect(Math.max(done('TASK-003'), done('TASK-004'))).toBeLessThan(log.calls.indexOf('TASK-002/tdd-agent/1'))
  })

  it('a question is answered before the task begins', async () => {
    const { log } = await run({ plan: [someTask(1, { researchQuestion: 'Which validator?' })] })
    expect(log.agents.slice(1, 3).map(({ role }) => role)).toEqual(['researcher', 'tester'])
    expect(log.agents[1]?.input).toMatchObject({ question: 'Which validator?' })
    expect(log.agents[2]?.input).toMatchObject({ research: { name: 'TASK-001-research.json' } })
  })

  it('without TDD a task begins with Develop', async () => {
    const { log } = await run({ level: 'fast' })
    expect(log.agents.map(({ role }) => role)).toEqual(['planner', 'coder', 'reviewer'])
  })
})

describe.concurrent('tasks side by side', () => {
  const six = [1, 2, 3, 4, 5, 6].map((number) => someTask(number, { priority: number }))

  it('are at most as many as were asked for, those of highest priority first', async () => {
    const { log } = await run({ plan: six, agentMs: 150 }, { parallel: 2, isolation: 'always' })
    expect(log.busiest).toBe(2)
    const firsts = log.agents.filter(({ role }) => role === 'tester').map(({ task_id }) => task_id)
    expect(firsts.slice(0, 2).sort()).toEqual(['TASK-005', 'TASK-006'])
  })

  it("work on the run's branch one after the other", async () => {
    const { log, result } = await run({ plan: six.slice(0, 3), agentMs: 20 })
    expect(log.busiest).toBe(1)
    expect(log.merges).toEqual([])
    expect(result.commit).toBe(commitOf(log.agents[0]?.run_id ?? '', 'TASK-001-develop', 1))
  })

  it('are merged one after the other, each onto what is there', async () => {
    const { log, result } = await run({ plan: six.slice(0, 3) }, { isolation: 'always' })
    expect(log.merges).toHaveLength(2)
    expect(log.merges[1]?.ours).toBe(commitOf(log.merges[0]?.ours ?? '', log.merges[0]?.theirs ?? ''))
    expect(result.commit).toBe(commitOf(log.merges[1]?.ours ?? '', log.merges[1]?.theirs ?? ''))
  })
})

describe.concurrent('a merge conflict', () => {
  const two = [someTask(1), someTask(2)]
  const firstConflict = { 'TASK-001/merge/1': 'conflict', 'TASK-002/merge/1': 'conflict' }

  it("goes to the coder once, from the run's branch with the tests there, and is judged anew", async () => {
    const { document, log } = await run({ plan: two, say: firstConflict }, { isolation: 'always' })
    expect(document.verdict).toBe('accepted')
    const late = log.merges[0]?.step.replace('-merge', '') ?? ''
    const [, again] = log.agents.filter(({ role, task_id }) => role === 'coder' && task_id === late)
    expect(again?.input).toMatchObject({ why: 'conflict', conflicts: ['src/a.ts'] })
    expect(again?.workspace?.commit).toBe(commitOf(log.merges[1]?.ours ?? '', log.merges[1]?.theirs ?? ''))
    expect(log.calls).toEqual(expect.arrayContaining([`${late}/verify/2`, `${late}/accept-agent/2`]))
  })

  it('then to a person', async () => {
    // The late one conflicts, comes back after a third one was merged, and conflicts again; its merge in between brings the tests.
    const say = { 'TASK-002/merge/1': 'conflict', 'TASK-002/merge/3': 'conflict' }
    const after = {
      'TASK-002/tdd-agent/1': 'TASK-001/accept-agent/1',
      'TASK-003/tdd-agent/1': 'TASK-002/merge/2',
      'TASK-002/develop-agent/2': 'TASK-003/merge/1',
    }
    const { result, log } = await run({ plan: [...two, someTask(3)], say, after }, { isolation: 'always' })
    expect(log.merges.map(({ step, round }) => `${step}/${round}`)).toEqual([
      'TASK-002-merge/1',
      'TASK-002-merge/2',
      'TASK-003-merge/1',
      'TASK-002-merge/3',
    ])
    expect(result.tasks.map(({ status }) => status)).toEqual(['completed', 'blocked', 'completed'])
    expect(result.tasks[1]?.block).toMatchObject({ reason: 'could not be merged: src/a.ts', type: 'decision' })
  })
})

function redFor(id: string): Record<string, string> {
  return Object.fromEntries([1, 2, 3, 4].map((round) => [`${id}/develop/${round}`, 'still_red']))
}

describe.concurrent('people', () => {
  it('approve a plan, or have it made again with what they say', async () => {
    const { handle, log } = await start({}, { approvals: ['plan'], answer_within_seconds: 3_600 })
    await answerTo(handle, 'plan', 'modify', () => handle.signal(guideSignal, 'smaller'))
    await answerTo(handle, 'plan-2', 'approve')
    expect((await finish(handle)).document.verdict).toBe('accepted')
    const plans = log.agents
      .filter(({ role }) => role === 'planner')
      .map(({ input }) => (input as { guidance: string[] }).guidance)
    expect(plans).toEqual([[], ['smaller']])
  })

  it('approve the result with its diff at hand', async () => {
    const { handle } = await start({}, { approvals: ['merge'], answer_within_seconds: 3_600 })
    await answerTo(handle, 'merge', 'approve')
    const { document, state } = await finish(handle)
    expect(document.verdict).toBe('accepted')
    expect(state.artifacts.map(({ name }) => name)).toContain('.openmatrix/change.diff')
  })

  it('have a blocked task tried again while others went on', async () => {
    const plan = [someTask(1), someTask(2), someTask(3, { dependencies: ['TASK-001'] })]
    const { handle, log } = await start({ plan, say: redFor('TASK-001') }, { answer_within_seconds: 3_600 })
    await untilStep(handle, 'TASK-002', 'passed')
    await handle.signal(guideSignal, 'start at 0')
    await answerTo(handle, 'TASK-001-blocked-1', 'retry')
    const { document } = await finish(handle)
    expect(document.verdict).toBe('accepted')
    const last = log.agents.findLast(({ role, task_id }) => role === 'coder' && task_id === 'TASK-001')
    expect(last?.input).toMatchObject({ why: 'retry', brief: { guidance: ['start at 0'] } })
    expect(last?.round).toBe(5)
  })

  it('leave a task out', async () => {
    const plan = [someTask(1), someTask(2)]
    const { handle } = await start({ plan, say: redFor('TASK-001') }, { answer_within_seconds: 3_600 })
    await answerTo(handle, 'TASK-001-blocked-1', 'skip')
    const { document, result } = await finish(handle)
    expect(document.verdict).toBe('partly')
    expect(result.tasks[0]).toMatchObject({ status: 'skipped', note: 'left out by a person' })
  })

  it('take a task over, and it goes on from what they committed', async () => {
    const { handle, log } = await start({ say: redFor('TASK-001') }, { answer_within_seconds: 3_600 })
    await answerTo(handle, 'TASK-001-blocked-1', 'take-over')
    await answerTo(handle, 'TASK-001-take-over-1-1', 'my work')
    const mine = commitOf('mine')
    await answerTo(handle, 'TASK-001-take-over-1-2', mine)
    const { document, result } = await finish(handle)
    expect(document.verdict).toBe('accepted')
    expect(result.commit).toBe(mine)
    expect(log.tests.at(-1)?.commit).toBe(mine)
    expect(log.agents.filter(({ role }) => role === 'coder')).toHaveLength(4)
  })

  it('say something that reaches the next prompts of tasks at work', async () => {
    const { handle, log } = await start({ ms: { 'TASK-001/tdd-agent/1': 4_000 } })
    await expect.poll(() => log.agents.some(({ role }) => role === 'tester'), { timeout: 60_000 }).toBe(true)
    await handle.signal(guideSignal, 'short names')
    await finish(handle)
    const coder = log.agents.find(({ role }) => role === 'coder')
    expect(coder?.input).toMatchObject({ brief: { guidance: ['short names'] } })
  })

  it('pause and resume', async () => {
    const { handle, log } = await start({ ms: { 'TASK-001/tdd-agent/1': 4_000 } })
    await expect.poll(() => log.agents.some(({ role }) => role === 'tester'), { timeout: 60_000 }).toBe(true)
    await handle.signal(pauseSignal)
    await expect.poll(() => log.calls.includes('TASK-001/tdd/1'), { timeout: 60_000 }).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(log.agents.some(({ role }) => role === 'coder')).toBe(false)
    expect((await handle.query(stateQuery)).status).toBe('paused')
    await handle.signal(resumeSignal)
    expect((await finish(handle)).document.verdict).toBe('accepted')
  })

  it('abort: what is done is kept, and on a branch', async () => {
    const plan = [someTask(1), someTask(2, { dependencies: ['TASK-001'] })]
    const { handle, log } = await start({ plan, ms: { 'TASK-002/tdd-agent/1': 60_000 } })
    await expect.poll(() => log.agents.some(({ task_id }) => task_id === 'TASK-002'), { timeout: 60_000 }).toBe(true)
    await handle.signal(abortSignal, 'enough')
    const { document, result } = await finish(handle)
    expect(document).toMatchObject({ status: 'aborted', reason: 'enough' })
    expect(result.tasks.map(({ status }) => status)).toEqual(['completed', 'unfinished'])
    expect(result.branch).toMatch(/\/unfinished$/)
  })

  it('cancel through Temporal: the agents stop, and the run leaves its documents', async () => {
    const { handle, log } = await start({ agentMs: 60_000 })
    await expect.poll(() => log.busy, { timeout: 60_000 }).toBe(1)
    await handle.cancel()
    await expect(handle.result()).rejects.toThrow()
    expect((await handle.describe()).status.name).toBe('CANCELLED')
    expect(log.busy).toBe(0)
    expect((await patientQuery(() => handle.query(viewQuery))).result).toMatchObject({ status: 'canceled' })
  })
})

describe.concurrent('the budget', () => {
  const budget = (overrides: Partial<PhaseInput['budget']>) => ({
    budget: { tokens: null, cost: null, rounds: null, seconds: null, ...overrides },
  })

  it('of rounds is never passed, and ends the run honestly', async () => {
    const { document, result, log } = await run({ plan: [someTask(1), someTask(2)] }, budget({ rounds: 5 }))
    expect(document).toMatchObject({ status: 'budget_exhausted', verdict: 'budget_exhausted' })
    expect(log.agents).toHaveLength(5)
    expect(result.tasks.map(({ status }) => status)).toEqual(['completed', 'unfinished'])
  })

  it('of tokens is shared by tasks at work, and never passed', async () => {
    const usage = { input_tokens: 1_000, output_tokens: 500 }
    const plan = [someTask(1), someTask(2), someTask(3)]
    const { document, result } = await run({ plan, usage }, { ...budget({ tokens: 12_000 }), isolation: 'always' })
    expect(document.status).toBe('budget_exhausted')
    const ofTasks = result.tasks.map(({ usage: used }) => (used.input_tokens ?? 0) + (used.output_tokens ?? 0))
    // The rest is the planner's.
    expect(ofTasks.reduce((sum, each) => sum + each, 0)).toBe(document.usage.tokens - 1_500)
    expect(document.usage.tokens).toBeLessThanOrEqual(12_000)
    expect(document.usage.tokens).toBeGreaterThan(6_000)
  })

  it('may be renewed by a person, and the run goes on where it was', async () => {
    const { handle, log } = await start({}, { ...budget({ rounds: 2 }), answer_within_seconds: 3_600 })
    await answerTo(handle, 'budget-1', 'continue')
    expect((await finish(handle)).document.verdict).toBe('accepted')
    expect(log.agents.map(({ role }) => role)).toEqual(['planner', 'tester', 'coder', 'reviewer'])
  })

  it('that an agent does not tell cannot be kept, and that is asked about', async () => {
    const usage = { input_tokens: null, output_tokens: null }
    const { document } = await run({ usage }, budget({ tokens: 100_000 }))
    expect(document).toMatchObject({ status: 'budget_exhausted', reason: expect.stringContaining('did not tell') })
  })
})

describe.concurrent('what nobody planned for', () => {
  it('a task whose workflow was terminated has failed, and the others go on', async () => {
    const plan = [someTask(1), someTask(2, { dependencies: ['TASK-001'] }), someTask(3)]
    const { handle, log } = await start({ plan, ms: { 'TASK-001/tdd-agent/1': 60_000 } })
    await expect.poll(() => log.busy, { timeout: 60_000 }).toBe(1)
    await expect
      .poll(() => env.client.workflow.getHandle(`${handle.workflowId}/TASK-001/1`).terminate(), { timeout: 60_000 })
      .toBeDefined()
    const { document, result } = await finish(handle)
    expect(document.verdict).toBe('partly')
    expect(result.tasks.map(({ status }) => status)).toEqual(['failed', 'not_started', 'completed'])
    expect(result.tasks[0]?.note).toMatch(/^its workflow was lost/)
  })

  it('a merge that git cannot do is asked about, and tried again after one more review', async () => {
    const say = { 'TASK-001/merge/1': 'Tool.Failed', 'TASK-001/merge/2': 'Tool.Failed' }
    const also = { 'TASK-002/merge/1': 'Tool.Failed', 'TASK-002/merge/2': 'Tool.Failed' }
    const plan = [someTask(1), someTask(2)]
    const { handle, log } = await start(
      { plan, say: { ...say, ...also } },
      { isolation: 'always', answer_within_seconds: 3_600 },
    )
    const late = async () => (await handle.query(stateQuery)).questions[0]?.id
    await expect.poll(late, { timeout: 60_000 }).toMatch(/^TASK-00[12]-blocked-1$/)
    await answerTo(handle, (await late()) ?? '', 'retry')
    expect((await finish(handle)).document.verdict).toBe('accepted')
    expect(log.agents.filter(({ role }) => role === 'reviewer')).toHaveLength(3)
  })

  it.each([
    ['nothing', undefined],
    ['no task', { task: 'TASK-009', status: 'completed', note: 'x' }],
    ['a status that cannot follow', { task: 'TASK-001', status: 'completed', note: 7 }],
  ])("a signal of %s in the place of a task's is not heard", async (_, move) => {
    const { handle, log } = await start({ agentMs: 300 })
    await expect.poll(() => log.agents.some(({ role }) => role === 'tester'), { timeout: 60_000 }).toBe(true)
    await handle.signal('taskMoved', move)
    expect((await finish(handle)).document.verdict).toBe('accepted')
  })
})

describe.concurrent('a workflow started by hand', () => {
  it.each([
    ['nothing', undefined, /^input: \(document\): expected object/],
    ['a wrong field', { ...phaseInput('x'), parallel: 17 }, /^input: parallel: .*got 17/],
    ['a branch that is no commit', { ...phaseInput('x'), base: 'main' }, /^input: base: .*got "main"/],
  ])('with %s ends at once and names the field', async (_, input, message) => {
    const error = await env.client.workflow
      .execute('phasePipeline', {
        taskQueue: queueOf(store.id),
        workflowId: `phase/bad-${(count += 1)}`,
        args: [input],
      })
      .catch((caught: unknown) => caught)
    const cause = error instanceof WorkflowFailedError ? error.cause : null
    expect(cause).toMatchObject({ type: 'Contract.Violated', message: expect.stringMatching(message) })
  })
})

describe('histories of these runs', () => {
  it('replay', async () => {
    const options = { workflowBundle: await workflowBundle() }
    const histories = some(env.client.workflow.list().intoHistories(), 60)
    const failed: string[] = []
    let replayed = 0
    for await (const result of Worker.runReplayHistories(options, histories)) {
      replayed += 1
      if (result.error !== undefined) failed.push(`${result.workflowId}: ${result.error.message}`)
    }
    expect(failed).toEqual([])
    expect(replayed).toBe(60)
  }, 120_000)
})

async function* some<T>(all: AsyncIterable<T>, limit: number): AsyncIterable<T> {
  let taken = 0
  for await (const each of all) {
    if (taken === limit) return
    taken += 1
    yield each
  }
}

async function answerTo(handle: Handle, question: string, word: string, before?: () => Promise<void>): Promise<void> {
  const isOpen = async () =>
    (await handle.query(stateQuery)).questions.some(({ id, answer }) => id === question && answer === null)
  await expect.poll(isOpen, { timeout: 60_000 }).toBe(true)
  await before?.()
  const isText = question.includes('take-over')
  await handle.executeUpdate(answerUpdate, { args: [isText ? { question, text: word } : { question, option: word }] })
}

async function untilStep(handle: Handle, name: string, status: string): Promise<void> {
  const stepNow = async () => (await handle.query(stateQuery)).steps.find((step) => step.name === name)?.status
  await expect.poll(stepNow, { timeout: 60_000 }).toBe(status)
}
