import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'
import { type Lane, queueFor } from '../rules/task-queues.js'

/** The seed's ten minutes for a step, kept inside the activity (`Tool.TimedOut`); Temporal's own limit lies above it. */
export const STEP_LIMIT_MS = 10 * 60_000
const MARGIN_MS = 60_000

/** Temporal's retries are for lost workers: many, quick, bounded. What a step is worth trying again for is `rules/retry.ts`. */
const LOST_WORKER = {
  maximumAttempts: 20,
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '5 seconds',
} as const

/** Every activity, the lane it runs in and what it is: the one table of timeouts. */
export const ACTIVITIES = {
  reproduceCrash: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  analyzeRootCause: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  analyzeFromError: { lane: 'light', limitMs: 60_000 },
  minimizeCase: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  validateCase: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  checkDuplicates: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  generateIssue: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  /** Besides the agent's own time, which each call brings along: a worktree made ready, an answer published. */
  askAgent: { lane: 'agents', limitMs: 10 * 60_000 },
  closeAgents: { lane: 'agents', limitMs: 60_000 },
  preparePhase: { lane: 'tools', limitMs: 5 * 60_000 },
  loadPlan: { lane: 'light', limitMs: 60_000 },
  nestPlan: { lane: 'light', limitMs: 60_000 },
  readTask: { lane: 'light', limitMs: 60_000 },
  /** Tests and gates keep limits of their own, a command at a time; this is for a whole suite, dependencies installed. */
  measureTests: { lane: 'tools', limitMs: 30 * 60_000 },
  measureGates: { lane: 'tools', limitMs: 60 * 60_000 },
  describeChanges: { lane: 'tools', limitMs: 5 * 60_000 },
  mergeTask: { lane: 'tools', limitMs: 5 * 60_000 },
  publishBranch: { lane: 'tools', limitMs: 5 * 60_000 },
  /** Besides the judge's own limit, which each call brings along. */
  scoreCandidate: { lane: 'tools', limitMs: 60_000 },
  readCandidates: { lane: 'light', limitMs: 60_000 },
  groundAnalyses: { lane: 'light', limitMs: 60_000 },
  detectTechStack: { lane: 'tools', limitMs: 5 * 60_000 },
  measureChange: { lane: 'tools', limitMs: 5 * 60_000 },
  judgeRound: { lane: 'tools', limitMs: STEP_LIMIT_MS },
  keepBranch: { lane: 'tools', limitMs: 5 * 60_000 },
  /** Rules over texts, no programs. */
  splitSources: { lane: 'tools', limitMs: 5 * 60_000 },
  groundPart: { lane: 'tools', limitMs: 5 * 60_000 },
  settlePart: { lane: 'tools', limitMs: 5 * 60_000 },
  keepContent: { lane: 'tools', limitMs: 5 * 60_000 },
  mergeReview: { lane: 'tools', limitMs: 5 * 60_000 },
} as const satisfies Record<string, { lane: Lane; limitMs: number }>
export type ActivityName = keyof typeof ACTIVITIES

/** One call: what the Temporal UI says of it, and the time it takes besides the table's. */
export interface CallOptions {
  summary: string
  extraMs?: number | undefined
}

/** Options of one call; `baseQueue` is the workflow's own task queue. */
export function optionsFor(
  name: ActivityName,
  baseQueue: string,
  { summary, extraMs = 0 }: CallOptions,
): ActivityOptions {
  const { lane, limitMs } = ACTIVITIES[name]
  return {
    taskQueue: queueFor(lane, baseQueue),
    startToCloseTimeout: limitMs + extraMs + MARGIN_MS,
    heartbeatTimeout: '6 seconds',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: LOST_WORKER,
    summary,
  }
}

/** For cheap steps that may run again: parsing an input, storing a document. */
export const LOCAL: LocalActivityOptions = {
  startToCloseTimeout: '20 seconds',
  retry: { maximumAttempts: 5, initialInterval: '200 milliseconds' },
}
