import { isCancellation, sleep } from '@temporalio/workflow'
import type {
  AgentAssignments,
  AgentFailureDetails,
  AgentOptions,
  AgentOrder,
  AgentReply,
  AgentUsage,
  ClosedAgents,
  CloseAgentsOrder,
  RoleName,
  Workspace,
} from '../contracts/agent.js'
import type { RunFailure, RunOptions } from '../contracts/run.js'
import { agentFor, agentsNamed } from '../rules/agent-choice.js'
import { addUsage, NO_USAGE } from '../rules/budget.js'
import { decideRetry } from '../rules/retry.js'
import { type Tried, tryOnce } from './attempt.js'
import { type Drawn, openPurse, type Purse } from './purse.js'
import { type Run, whilePaused } from './run.js'

/** How a workflow asks agents: made once by `openAsking`. */
export interface Asking {
  run: Run
  /** Of the whole run, under which everything is published: a child workflow's is its parent's. */
  runId: string
  agents: AgentAssignments
  purse: Purse
  allowUnsandboxed: boolean
}

/** One question to a role. */
export interface RoleCall<E> {
  role: RoleName
  /** The row of the run's list that shows it. */
  row: string
  /** With `round` names the attempt; letters, digits, dashes: 'TASK-001-develop'. */
  step: string
  round: number
  taskId: string | null
  /** The role's input contract. */
  input: unknown
  workspace: Workspace | null
  limitSeconds: number
  /** True: an answer that does not fit ends the call as failed; whoever counts all tries of a task asks again itself. */
  isOneAnswer?: boolean
  /** Calls that may be under way at once, this one included: they share what is left of the budget. Default 1. */
  parallel?: number
  /** Closes the row as passed with this line; without it the row stays `running` for the caller to close. */
  note?: (reply: Replied<E>) => string | null
}

export type Replied<E> = Omit<AgentReply, 'extract'> & { extract: E }

/** Of all calls together. */
interface Spent {
  usage: AgentUsage
  /** What was wrong with the answers that did not fit. */
  sentBack: readonly string[]
}

/** How it ended: a value in every case. */
export type Asked<E> = Spent &
  (
    | { status: 'passed'; value: Replied<E> }
    | { status: 'failed'; failure: RunFailure }
    | { status: 'canceled' }
    /** The budget is used up and nobody granted more. */
    | { status: 'exhausted'; reason: string }
  )

/** `runId`: of the parent, in a child workflow. */
export function openAsking(run: Run, options: AgentOptions & RunOptions, runId: string = run.state.run_id): Asking {
  const { agents, budget, answer_within_seconds, allow_unsandboxed } = options
  const purse = openPurse(run, { budget, answerWithinSeconds: answer_within_seconds })
  return { run, runId, agents, purse, allowUnsandboxed: allow_unsandboxed }
}

/**
 * Asks the agent of a role until its answer fits: an answer that does not is sent back with the complaints, at most three times;
 * other failures are tried again as `rules/retry.ts` says. Every call draws from the budget and is seen on the run's list.
 * Cancellation of the surrounding scope, and an abort before the next call, yield `canceled`.
 */
export async function askRole<E>(asking: Asking, call: RoleCall<E>): Promise<Asked<E>> {
  const talk: Talk = {
    attempt: 0,
    complaints: [],
    continueFrom: null,
    failures: new Map(),
    trouble: null,
    sentBack: [],
    usage: null,
  }
  try {
    return close(asking.run, call, await talkUntilSettled(asking, call, talk))
  } catch (error) {
    if (isCancellation(error)) return close(asking.run, call, { status: 'canceled', ...spentOn(talk) })
    throw error
  }
}

/** Lines about agents that were not used as they were meant to be: unused answers of a script. To be called at the end of a run. */
export async function closeAsking({ agents, runId }: Asking): Promise<readonly string[]> {
  const names = agentsNamed(agents)
  if (names.length === 0) return []
  const input: CloseAgentsOrder = { run_id: runId, agents: names }
  const closed = await tryOnce<CloseAgentsOrder, ClosedAgents>({ step: 'close agents', activity: 'closeAgents', input })
  if (closed.status === 'passed') return closed.value.leftovers
  return closed.status === 'failed' ? [`agents could not be closed: ${closed.failure.message}`] : []
}

/** What has been said so far. */
interface Talk {
  attempt: number
  complaints: readonly string[]
  /** Edits of an answer that did not fit. */
  continueFrom: string | null
  failures: Map<string, number>
  trouble: string | null
  sentBack: string[]
  /** Null before the first call. */
  usage: AgentUsage | null
}

function spentOn({ usage, sentBack }: Talk): Spent {
  return { usage: usage ?? NO_USAGE, sentBack }
}

async function talkUntilSettled<E>(asking: Asking, call: RoleCall<E>, talk: Talk): Promise<Asked<E>> {
  const { run, purse } = asking
  for (;;) {
    await whilePaused(run)
    const drawn = await purse.draw({ parallel: call.parallel ?? 1, isNewRound: talk.attempt === 0 })
    if (run.abortReason !== null) return { status: 'canceled', ...spentOn(talk) }
    if (drawn === null) return { status: 'exhausted', reason: purse.exhausted ?? '', ...spentOn(talk) }
    talk.attempt += 1
    run.mark(call.row, 'running', talk.trouble)
    const outcome = await askOnce<E>(asking, call, { talk, drawn })
    takeUsage(purse, { talk, drawn }, outcome)
    if (outcome.status !== 'failed') return { ...outcome, ...spentOn(talk) }
    if (!(await learn(run, call, { talk, drawn, outcome }))) {
      return { status: 'failed', failure: outcome.failure, ...spentOn(talk) }
    }
  }
}

interface Turn {
  talk: Talk
  drawn: Drawn
}

type Failed = Extract<Tried<unknown>, { status: 'failed' }>

async function askOnce<E>(asking: Asking, call: RoleCall<E>, { talk, drawn }: Turn): Promise<Tried<Replied<E>>> {
  const limit = Math.min(call.limitSeconds, drawn.seconds ?? call.limitSeconds)
  const order: AgentOrder = {
    run_id: asking.runId,
    task_id: call.taskId,
    step: call.step,
    round: call.round,
    attempt: talk.attempt,
    role: call.role,
    agent: agentFor(call.role, asking.agents),
    input: call.input,
    complaints: [...talk.complaints],
    workspace: call.workspace,
    continue_from: talk.continueFrom,
    limit_seconds: limit,
    allowance: drawn.allowance,
    allow_unsandboxed: asking.allowUnsandboxed,
  }
  const summary = `${call.role}: ${call.taskId ?? call.step}`
  return await tryOnce<AgentOrder, Replied<E>>({
    step: call.row,
    activity: 'askAgent',
    input: order,
    summary,
    extraMs: limit * 1000,
  })
}

/** The details come from our own activity, which made them by their contract. */
function detailsOf(outcome: Failed): AgentFailureDetails {
  return outcome.details
}

function takeUsage<E>(purse: Purse, { talk, drawn }: Turn, outcome: Tried<Replied<E>>): void {
  const usage = outcome.status === 'passed' ? outcome.value.usage : usageOf(outcome)
  if (usage !== null) talk.usage = talk.usage === null ? usage : addUsage(talk.usage, usage)
  const isExhausted = outcome.status === 'failed' && outcome.failure.type === 'Budget.Exhausted'
  purse.settle(drawn, usage, isExhausted ? outcome.failure.message : undefined)
}

/** A call that failed before it reached anybody cost nothing, and says so; of one that was lost nothing is known. */
function usageOf(outcome: Exclude<Tried<unknown>, { status: 'passed' }>): AgentUsage | null {
  return outcome.status === 'failed' ? (detailsOf(outcome).usage ?? null) : null
}

/** Prepares the next call after a failure; false when there is to be none. */
async function learn<E>(run: Run, call: RoleCall<E>, turn: Turn & { outcome: Failed }): Promise<boolean> {
  const { talk, drawn, outcome } = turn
  const { type, message } = outcome.failure
  talk.trouble = `asked again after ${type}: ${message}`
  const hasAllowance = drawn.allowance.tokens !== null || drawn.allowance.cost !== null
  // The purse asks a person before the next call.
  if (type === 'Budget.Exhausted' && hasAllowance) return true
  if (type === 'Agent.InvalidAnswer' && call.isOneAnswer === true) return false
  const failures = (talk.failures.get(type) ?? 0) + 1
  talk.failures.set(type, failures)
  const delayMs = decideRetry({ type, failures, retryAfterMs: outcome.retryAfterMs })
  if (delayMs === null) return false
  if (type === 'Agent.InvalidAnswer') sendBack(talk, message, detailsOf(outcome))
  run.note(call.row, talk.trouble)
  if (delayMs > 0) await sleep(delayMs, { summary: `${call.row}: ${type}` })
  return true
}

function sendBack(talk: Talk, message: string, { complaints = [], commit }: AgentFailureDetails): void {
  talk.sentBack.push(message)
  talk.complaints = complaints
  talk.continueFrom = commit ?? talk.continueFrom
}

function close<E>(run: Run, call: RoleCall<E>, asked: Asked<E>): Asked<E> {
  if (asked.status === 'passed') {
    if (call.note !== undefined) run.mark(call.row, 'passed', call.note(asked.value))
  } else {
    run.mark(call.row, asked.status === 'canceled' ? 'canceled' : 'failed', endNote(asked))
  }
  return asked
}

function endNote(asked: Exclude<Asked<unknown>, { status: 'passed' }>): string | null {
  if (asked.status === 'failed') return `${asked.failure.type}: ${asked.failure.message}`
  return asked.status === 'exhausted' ? asked.reason : null
}
