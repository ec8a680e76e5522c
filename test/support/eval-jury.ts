import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/common'
import { type NativeConnection, Worker } from '@temporalio/worker'
import { createRunActivities } from '../../src/activities/run-activities.js'
import { judgeAnswer } from '../../src/agents/judge-answer.js'
import { ROSTER } from '../../src/agents/roster.js'
import type { AgentOrder, AgentReply } from '../../src/contracts/agent.js'
import type { AnalysisInput, ScreeningInput, ShownCandidate } from '../../src/contracts/eval-answers.js'
import type { GroundOrder, ReadOrder } from '../../src/contracts/eval-orders.js'
import type { ScoreOrder, ScoreReply } from '../../src/contracts/eval-score.js'
import type { ArtifactStore } from '../../src/contracts/store.js'
import { queueFor, queueOf } from '../../src/rules/task-queues.js'
import { groundAnalyses } from '../../src/tools/judges/ground-analyses.js'
import { readCandidates } from '../../src/tools/judges/read-candidates.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'

/** How a judge of a test gives marks: by what it sees. `worth` is what the test says the candidate is worth. */
export interface Seen {
  candidate: ShownCandidate
  text: string
  worth: number
  place: number
  of: number
}

export interface FakeJudge {
  mark: (seen: Seen) => number
  /** Thrown in place of an answer: a failure's type. */
  fails?: (order: AgentOrder) => string | null
  attack?: 'continue' | 'eliminate' | 'require_mitigation'
  review?: 'qualified' | 'needs_mitigation' | 'disqualified'
  returns?: 'resurrect' | 'stay_eliminated' | 'needs_review'
  /** Quotes what is not in the candidate. */
  invents?: boolean
  /** How long it thinks. */
  pauseMs?: number
}

/** What a candidate of a test is: 'worth 7' in its text. */
const worthOf = (text: string) => Number(/worth (\d+(?:\.\d+)?)/.exec(text)?.[1] ?? 5)

export const byWorth: FakeJudge = { mark: ({ worth }) => worth }

export interface JuryWorker {
  store: ArtifactStore
  /** 'role step round attempt', in the order asked. */
  calls: string[]
  orders: AgentOrder[]
  stop: () => Promise<void>
}

export interface JurySetup {
  connection: NativeConnection
  store: ArtifactStore
  /** By the agent's name. */
  judges: Readonly<Record<string, FakeJudge>>
  /** Programs: by the judge's name, what it makes of a text. */
  programs?: Readonly<Record<string, (text: string) => Partial<ScoreReply> | string>>
  maxCachedWorkflows?: number
}

/** The real workflow, roles and contracts, with judges that a test writes down. */
export async function startJuryWorker(setup: JurySetup): Promise<JuryWorker> {
  const { connection, store, maxCachedWorkflows = 100 } = setup
  const queue = queueOf(store.id)
  const seen = { calls: [] as string[], orders: [] as AgentOrder[] }
  const activities = fakeActivities(setup, seen)
  const shared = { connection, namespace: 'default', shutdownForceTime: '2 seconds' } as const
  const workers = [
    await Worker.create({
      ...shared,
      taskQueue: queue,
      workflowBundle: await workflowBundle(),
      activities: { ...createRunActivities(store), ...activities },
      maxCachedWorkflows,
    }),
    await Worker.create({ ...shared, taskQueue: queueFor('tools', queue), activities }),
    await Worker.create({ ...shared, taskQueue: queueFor('agents', queue), activities }),
  ]
  const done = Promise.all(workers.map((worker) => worker.run()))
  const stop = async () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
    await done
  }
  return { store, ...seen, stop }
}

function fakeActivities(setup: JurySetup, seen: Pick<JuryWorker, 'calls' | 'orders'>) {
  const { store } = setup
  return {
    askAgent: async (order: AgentOrder): Promise<AgentReply> => {
      seen.orders.push(order)
      seen.calls.push(`${order.role} ${order.step} ${order.round} ${order.attempt}`)
      return await answerAs(setup, order)
    },
    closeAgents: async () => ({ leftovers: [] }),
    scoreCandidate: async (order: ScoreOrder): Promise<ScoreReply> => {
      seen.calls.push(`score ${order.judge.name} ${order.candidate.name}`)
      return await scoreAs(setup, order)
    },
    readCandidates: (order: ReadOrder) => readCandidates(order, { store }),
    groundAnalyses: (order: GroundOrder) => groundAnalyses(order, { store }),
  }
}

async function scoreAs({ store, programs = {} }: JurySetup, { judge, candidate }: ScoreOrder): Promise<ScoreReply> {
  const said = programs[judge.name]?.((await store.get(candidate.content)).toString()) ?? 'Tool.Missing'
  if (typeof said === 'string') throw failure(said, `${judge.name} could not judge`)
  return {
    score: 5,
    measured: null,
    reasons: ['so it was measured'],
    findings: [],
    severities: { Critical: 0, Major: 0, Minor: 0 },
    angle: 'correctness',
    record: await store.put(`judgements/${judge.name}-${candidate.name}.json`, '{}', 'application/json'),
    is_sandboxed: true,
    ...said,
  }
}

async function answerAs({ store, judges }: JurySetup, order: AgentOrder): Promise<AgentReply> {
  const judge = judges[order.agent]
  if (judge === undefined) throw failure('Agent.Rejected', `agent ${order.agent} is not known`)
  if (judge.pauseMs !== undefined) await sleep(judge.pauseMs)
  const broken = judge.fails?.(order) ?? null
  if (broken !== null) throw failure(broken, `${order.agent} is broken`)
  const role = ROSTER[order.role]
  if (role === undefined) throw new Error(`no role ${order.role}`)
  const input = role.input.parse(order.input)
  const value = await ANSWERS[order.role as keyof typeof ANSWERS](judge, input, store)
  const judged = judgeAnswer({ role, input, raw: { value }, redact: (text) => text })
  if (judged.status !== 'good') throw failure('Agent.InvalidAnswer', judged.complaints[0] ?? '')
  const document = await store.put('answer.json', JSON.stringify(judged.answer), 'application/json')
  return {
    extract: judged.extract,
    answer: document,
    transcript: document,
    usage: { input_tokens: 10, output_tokens: 5, cost: null, seconds: 0.1 },
    commit: null,
    changes: [],
    changed_files: 0,
    trespasses: [],
    is_sandboxed: true,
  }
}

function failure(type: string, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true })
}

async function seenAs(store: ArtifactStore, candidates: readonly ShownCandidate[]): Promise<Seen[]> {
  return await Promise.all(
    candidates.map(async (candidate, place) => {
      const text = (await store.get(candidate.content)).toString()
      return { candidate, text, worth: worthOf(text), place, of: candidates.length }
    }),
  )
}

const ANSWERS = {
  screener: async (judge: FakeJudge, input: unknown, store: ArtifactStore) => {
    const seen = await seenAs(store, (input as ScreeningInput).candidates)
    const marks = seen.map((each) => ({ label: each.candidate.label, score: judge.mark(each) }))
    const sorted = [...marks].sort((one, other) => one.score - other.score)
    const [lowest, next] = sorted
    const margin = (next?.score ?? 0) - (lowest?.score ?? 0)
    return {
      reading_order_confirmed: marks.map(({ label }) => label),
      quick_assessments: Object.fromEntries(
        marks.map(({ label, score }) => [label, { summary: 'read', score, strengths: [], weaknesses: [] }]),
      ),
      elimination_decision: {
        eliminated: margin > 0 ? lowest?.label : null,
        reason: `the lowest mark, ${lowest?.score}`,
        confidence: margin >= 2 ? 'High' : 'Medium',
        margin,
      },
    }
  },
  'defect-analyst': async (judge: FakeJudge, input: unknown, store: ArtifactStore) => {
    const [seen] = await seenAs(store, [(input as AnalysisInput).candidate])
    if (seen === undefined) throw new Error('nothing to analyse')
    const quote = judge.invents === true ? 'this is nowhere to be found' : seen.text.slice(0, 40)
    return {
      defects: [],
      none_found: ['correctness', 'security', 'fit'].map((angle) => ({ angle, evidence: [quote] })),
      overall_score: { total: judge.mark(seen), by_angle: {} },
      strengths: [],
    }
  },
  'devils-advocate': async (judge: FakeJudge) => {
    const items = judge.attack === 'eliminate' ? [{ title: 'it loses data', severity: 'Critical' }] : []
    const answer = { answer: 'looked, and found what is listed', items: [] as typeof items }
    const questions = ['hidden_costs', 'tech_debt', 'scaling_bottlenecks', 'external_risks', 'test_blind_spots']
    return {
      attack_report: {
        fatal_defects: { ...answer, items },
        ...Object.fromEntries([...questions, 'team_skill_gaps'].map((question) => [question, answer])),
      },
      final_judgment: {
        recommendation: judge.attack ?? 'continue',
        critical_defect_count: items.length,
        confidence: 'High',
        reason: 'so the attack ended',
      },
    }
  },
  'final-reviewer': async (judge: FakeJudge) => ({
    checklist: [{ item: 'works', status: judge.review === 'disqualified' ? 'fail' : 'pass', note: 'looked' }],
    verdict: judge.review ?? 'qualified',
    reason: 'so the review ended',
  }),
  'resurrection-evaluator': async (judge: FakeJudge) => ({
    decision: judge.returns ?? 'stay_eliminated',
    reason: 'so it was decided',
    confidence: 'Medium',
  }),
}
