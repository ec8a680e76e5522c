import type { FailureType } from '../contracts/failures.js'

/**
 * How often the workflow itself tries again, per failure type, and how long it waits first. Temporal's own retries are for
 * lost workers and do not count here (design.md, Temporal; the ten-minute limit with one retry is seed 002's).
 */
export const RETRIES = {
  'Contract.Violated': { retries: 0, delayMs: 0 },
  'Agent.InvalidAnswer': { retries: 3, delayMs: 0 },
  'Agent.Unavailable': { retries: 5, delayMs: 5_000 },
  'Agent.Rejected': { retries: 0, delayMs: 0 },
  'Tool.Missing': { retries: 0, delayMs: 0 },
  'Tool.Failed': { retries: 1, delayMs: 0 },
  'Tool.TimedOut': { retries: 1, delayMs: 0 },
  'Git.Conflict': { retries: 0, delayMs: 0 },
  'GitHub.Limited': { retries: 1, delayMs: 60_000 },
  'GitHub.Denied': { retries: 0, delayMs: 0 },
  'Case.Incomplete': { retries: 0, delayMs: 0 },
  'Budget.Exhausted': { retries: 0, delayMs: 0 },
} as const satisfies Record<FailureType, { retries: number; delayMs: number }>

/** A server that asks for more patience than this gets none: the step fails and its failure table decides. */
const MAX_DELAY_MS = 10 * 60_000

export interface FailedTry {
  type: string
  /** Tries made so far that failed with this type, this one included. */
  failures: number
  /** What the other side asked us to wait, milliseconds. */
  retryAfterMs?: number | undefined
}

/** Milliseconds to wait before the next try, or null when there is to be none. Types outside the closed list are bugs: none. */
export function decideRetry({ type, failures, retryAfterMs }: FailedTry): number | null {
  const row = type in RETRIES ? RETRIES[type as FailureType] : null
  if (row === null || failures > row.retries) return null
  const delayMs = retryAfterMs ?? row.delayMs
  return delayMs <= MAX_DELAY_MS ? delayMs : null
}
