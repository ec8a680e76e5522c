import { createHash } from 'node:crypto'
import { ApplicationFailure, Context } from '@temporalio/activity'
import type { AgentOrder, AgentReply, AgentUsage } from '../../src/contracts/agent.js'
import type { FailureType } from '../../src/contracts/failures.js'
import type { CommitId } from '../../src/contracts/git.js'
import type {
  MeasureGatesOrder,
  MeasureTestsOrder,
  QualityExtract,
  TestVerdict,
} from '../../src/contracts/phase-quality.js'
import type { ResearchExtract, ReviewExtract, ToldExtract } from '../../src/contracts/phase-roles.js'
import type {
  DescribeChangesOrder,
  DescribedChanges,
  LoadPlanOrder,
  MergedTask,
  MergeTaskOrder,
  NestPlanOrder,
  PhaseInput,
  PhaseProject,
  PublishBranchOrder,
  PublishedBranch,
  ReadTaskOrder,
} from '../../src/contracts/phase-run.js'
import type { Task } from '../../src/contracts/phase.js'
import type { ArtifactStore } from '../../src/contracts/store.js'
import { GATES, qualityOf } from '../../src/rules/quality.js'
import { loadPlan, putNestedPlan, readTask } from '../../src/tools/phase/plan-files.js'
import { someFile } from './phase-answers.js'

/**
 * What happens in a run. Keys of `say` are 'TASK-001/develop/2' (the second attempt of the run at it), 'plan/1', 'gates/1',
 * 'TASK-001/merge/1', and the like; a value is the word that comes out, or a type of failure. What is not named goes well.
 */
export interface PhaseScript {
  plan: readonly Task[]
  nested?: readonly Task[]
  say: Readonly<Record<string, string>>
  usage?: Partial<AgentUsage>
  /** Milliseconds of every agent's call. */
  agentMs?: number
  /** Milliseconds of a task's gates. */
  gatesMs?: number
  /** Milliseconds of one call, by the keys of `say`. */
  ms?: Readonly<Record<string, number>>
  /** Calls of agents that are not answered before another call was made, both by the keys of `say`. */
  after?: Readonly<Record<string, string>>
  level?: 'fast' | 'balanced' | 'strict'
  /** Default: true. */
  isSandboxed?: boolean
}

/** Of one run: what was asked, in order, and with what. */
export interface PhaseLog {
  calls: string[]
  agents: AgentOrder[]
  tests: MeasureTestsOrder[]
  gates: MeasureGatesOrder[]
  merges: MergeTaskOrder[]
  /** Agents that are at work now, and the most that ever were. */
  busy: number
  busiest: number
}

export interface PhaseScene {
  script: PhaseScript
  log: PhaseLog
  counts: Map<string, number>
}

export function openScene(script: PhaseScript): PhaseScene {
  const log = { calls: [], agents: [], tests: [], gates: [], merges: [], busy: 0, busiest: 0 }
  return { script, log, counts: new Map() }
}

export const BASE = commitOf('base')

/** A commit's id made of words. */
export function commitOf(...words: (string | number)[]): CommitId {
  return createHash('sha1').update(words.join('/')).digest('hex')
}

/** Activities of the phase pipeline that answer from the scene of their run, found by its key. Plans are really read. */
export function fakePhaseActivities(scenes: ReadonlyMap<string, PhaseScene>, store: ArtifactStore) {
  const at = () => placeOf(scenes)
  return {
    preparePhase: (): Promise<PhaseProject> => {
      const { say, script } = at()
      say('prepare', 'ok')
      return Promise.resolve({
        quality: qualityOf(script.level ?? 'strict'),
        context: { techStack: ['vitest'], structure: '', conventions: '' },
      })
    },
    loadPlan: (order: LoadPlanOrder) => failing(() => loadPlan(store, order)),
    nestPlan: (order: NestPlanOrder) => failing(() => putNestedPlan(store, order)),
    readTask: (order: ReadTaskOrder) => failing(() => readTask(store, order)),
    askAgent: (order: AgentOrder) => askFake(at(), store, order),
    closeAgents: () => Promise.resolve({ leftovers: [] }),
    measureTests: (order: MeasureTestsOrder): Promise<TestVerdict> => {
      const { say, task, scene } = at()
      scene.log.tests.push(order)
      return Promise.resolve(verdictOf(say(`${task}/${order.phase}`, order.phase === 'tdd' ? 'red' : 'green'), task))
    },
    measureGates: async (order: MeasureGatesOrder): Promise<QualityExtract> => {
      const { say, script, task, scene } = at()
      scene.log.gates.push(order)
      if (task !== null) await pause(script.gatesMs ?? 0)
      return gatesOf(say(task === null ? 'gates' : `${task}/verify`, 'pass'))
    },
    describeChanges: (order: DescribeChangesOrder): Promise<DescribedChanges> => {
      const change = { action: 'modify', path: 'src/a.ts', lines_added: 1, lines_deleted: 0 } as const
      return Promise.resolve({ changes: [change], changed_files: 1, diff: someFile(order.name) })
    },
    mergeTask: (order: MergeTaskOrder): Promise<MergedTask> => {
      const { say, scene } = at()
      scene.log.merges.push(order)
      const word = say(order.step.replace('-merge', '/merge'), 'merged')
      if (word === 'conflict') return Promise.resolve({ status: 'conflict', files: ['src/a.ts'] })
      return Promise.resolve({ status: 'merged', commit: commitOf(order.ours, order.theirs) })
    },
    publishBranch: (order: PublishBranchOrder): Promise<PublishedBranch> => {
      at().say('branch', 'ok')
      return Promise.resolve({ branch: `refs/heads/gauntlet/${order.run_id}/${order.name}` })
    },
  }
}

interface Place {
  scene: PhaseScene
  script: PhaseScript
  task: string | null
  /** The word for the next time of a thing; throws a failure when it is one. */
  say: (thing: string, usual: string) => string
}

/** 'phase/KEY/TASK-001/1' is the first stretch of a task of the run 'phase/KEY'. */
function placeOf(scenes: ReadonlyMap<string, PhaseScene>): Place {
  const id = Context.current().info.workflowExecution?.workflowId ?? ''
  const [, key = '', task = null] = id.split('/')
  const scene = scenes.get(key)
  if (scene === undefined) throw ApplicationFailure.nonRetryable(`no scene ${key}`)
  const say = (thing: string, usual: string) => {
    const count = (scene.counts.get(thing) ?? 0) + 1
    scene.counts.set(thing, count)
    scene.log.calls.push(`${thing}/${count}`)
    return wordFor(scene, `${thing}/${count}`, usual)
  }
  return { scene, script: scene.script, task, say }
}

function wordFor({ script }: PhaseScene, key: string, usual: string): string {
  const word = script.say[key] ?? usual
  if (/^[A-Z][A-Za-z]+\.[A-Z]/.test(word)) throw failureOf(word as FailureType, key)
  return word
}

function failureOf(type: FailureType, key: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message: `fake ${key}`, nonRetryable: true, details: [{ usage: FREE }] })
}

const FREE: AgentUsage = { input_tokens: 0, output_tokens: 0, cost: 0, seconds: 0 }

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw ApplicationFailure.create({ type: 'Contract.Violated', message: error.message, nonRetryable: true })
  }
}

async function askFake({ scene, script, say }: Place, store: ArtifactStore, order: AgentOrder): Promise<AgentReply> {
  const { log } = scene
  log.agents.push(order)
  log.busy += 1
  log.busiest = Math.max(log.busiest, log.busy)
  try {
    const thing =
      order.task_id === null ? order.step : `${order.task_id}/${order.step.replace(`${order.task_id}-`, '')}-agent`
    const key = `${thing}/${(scene.counts.get(thing) ?? 0) + 1}`
    await pause(script.ms?.[key] ?? script.agentMs ?? 0)
    await pauseUntilCalled(log, script.after?.[key])
    return await replyTo(say(thing, 'good'), { store, script, order })
  } finally {
    log.busy -= 1
  }
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await beating((context) => context.sleep(ms))
}

async function pauseUntilCalled({ calls }: PhaseLog, key: string | undefined): Promise<void> {
  if (key === undefined) return
  await beating(async (context) => {
    while (!calls.includes(key)) await context.sleep(20)
  })
}

async function beating(work: (context: Context) => Promise<void>): Promise<void> {
  const context = Context.current()
  const beat = setInterval(() => context.heartbeat(), 200)
  try {
    await work(context)
  } finally {
    clearInterval(beat)
  }
}

async function replyTo(
  word: string,
  { store, script, order }: { store: ArtifactStore; script: PhaseScript; order: AgentOrder },
): Promise<AgentReply> {
  const { role, task_id, step, round } = order
  const isEditor = role === 'tester' || role === 'coder'
  const plan = task_id === null ? script.plan : (script.nested ?? [])
  const text = role === 'planner' ? JSON.stringify(plan) : JSON.stringify({ word })
  return {
    extract: EXTRACTS[role as keyof typeof EXTRACTS](word, plan),
    answer: await store.put(`${step}.json`, text, 'application/json'),
    transcript: someFile('transcript.jsonl'),
    usage: { ...FREE, ...script.usage },
    commit: isEditor ? commitOf(order.run_id, step, round) : null,
    changes: [],
    changed_files: isEditor ? 1 : 0,
    trespasses: word === 'trespass' ? ['test/a.test.ts'] : [],
    is_sandboxed: script.isSandboxed ?? true,
  }
}

const EXTRACTS = {
  planner: (_: string, plan: readonly Task[]) => ({ tasks: plan.length }),
  tester: told,
  coder: told,
  reviewer: review,
  researcher: (): ResearchExtract => ({ summary: 'Look at the index.', recommendations: ['start at 0'] }),
  executor: (word: string) => ({
    disagreements: word === 'disagrees' ? ['build: measured pass, said to be fail'] : [],
  }),
}

function told(word: string): ToldExtract {
  const blocked = { reason: 'Which format?', type: 'information', missingInfo: ['the format'] } as const
  return {
    summary: 'done',
    decisions: [{ description: 'Use a map', reason: 'fast', impact: 'src/a.ts' }],
    suggestions: [{ suggestion: 'Try an empty name', for: 'verify' }],
    files: [],
    blocked: word === 'blocked' ? { ...blocked, missingInfo: [...blocked.missingInfo] } : null,
  }
}

function review(word: string): ReviewExtract {
  const isApproved = word !== 'not_approved'
  return {
    outcome: isApproved ? 'approved' : 'not_approved',
    overallScore: 8,
    scores: { codeQuality: 8, bestPractices: 8, security: 8, documentation: 8 },
    blockers: isApproved ? [] : ['no documentation'],
    inconsistencies: [],
    recommendations: [],
  }
}

function verdictOf(outcome: string, task: string | null): TestVerdict {
  const file = `test/${task ?? 'x'}.test.ts`
  return {
    outcome,
    sentence: `measured: ${outcome}`,
    failing: outcome === 'red' ? 1 : 0,
    red: outcome === 'red' ? [{ name: `${task} works`, file }] : [],
    test_files: [file],
    changes: [{ action: 'create', path: file, lines_added: 3, lines_deleted: 0 }],
    changed_files: 1,
    report: someFile('tests.txt'),
    is_sandboxed: true,
  }
}

function gatesOf(word: string): QualityExtract {
  const overallStatus = word as QualityExtract['overallStatus']
  return {
    overallStatus,
    score: 100,
    isSandboxed: true,
    reasons: overallStatus === 'pass' ? [] : [`lint ${word === 'fail' ? 'failed' : 'is unavailable'}: 1 error`],
    gates: GATES.map((name) => ({ name, status: 'pass', details: 'fine' })),
    unmeasured: [],
    report: someFile('quality.json'),
  }
}

/** An input that fits the contract. */
export function phaseInput(key: string, overrides: Partial<PhaseInput> = {}): PhaseInput {
  return {
    key,
    instruction: 'Add users.',
    repository: { url: '/repository' },
    base: BASE,
    plan: null,
    quality: null,
    isolation: 'auto',
    parallel: 3,
    approvals: [],
    plan_only: false,
    agents: [{ role: '*', agent: 'script-fake' }],
    budget: { tokens: null, cost: null, rounds: null, seconds: null },
    answer_within_seconds: 0,
    allow_unsandboxed: false,
    input_digest: 'digest',
    ...overrides,
  }
}
