import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow'
import type { RunFailure } from '../contracts/run.js'
import { decideRetry } from '../rules/retry.js'
import { type ActivityName, optionsFor } from './activity-options.js'
import type { Run } from './run.js'

/** How a step ended: a value in every case, so that one failure never abandons its siblings. */
export type Attempted<T> =
  | { status: 'passed'; value: T }
  | { status: 'failed'; failure: RunFailure }
  | { status: 'canceled' }

/** One activity call of a step. `step` is the name on the run's list; `note` says afterwards what came out. */
export interface StepCall<I, T> {
  step: string
  activity: ActivityName
  input: I
  note: (value: T) => string | null
}

/**
 * Runs a step's activity with the seeds' own retry counts, each try visible in the run's state and in history.
 * Cancellation of the surrounding scope yields `canceled`.
 */
export async function attemptStep<I, T>(run: Run, call: StepCall<I, T>): Promise<Attempted<T>> {
  const failures = new Map<string, number>()
  let trouble: string | null = null
  for (;;) {
    // A row that an agent left running, for what it made to be measured, goes on with the same attempt.
    if (trouble !== null || !isRunning(run, call.step)) run.mark(call.step, 'running', trouble)
    const outcome = await tryOnce<I, T>(call)
    if (outcome.status !== 'failed') return settle(run, call, outcome)
    const { failure, retryAfterMs } = outcome
    const count = (failures.get(failure.type) ?? 0) + 1
    failures.set(failure.type, count)
    const delayMs = decideRetry({ type: failure.type, failures: count, retryAfterMs })
    if (delayMs === null) return settle(run, call, outcome)
    trouble = `trying again after ${failure.type}: ${failure.message}`
    run.note(call.step, trouble)
    if (delayMs > 0) await sleep(delayMs, { summary: `${call.step}: ${failure.type}` })
  }
}

function isRunning({ state }: Run, name: string): boolean {
  return state.steps.some((step) => step.name === name && step.status === 'running')
}

/** One call of an activity and what it said; `details` are a classified failure's. */
export type Tried<T> =
  | Exclude<Attempted<T>, { status: 'failed' }>
  | { status: 'failed'; failure: RunFailure; retryAfterMs?: number | undefined; details: Record<string, unknown> }

export interface ActivityCall<I> {
  step: string
  activity: ActivityName
  input: I
  /** Default: the step's name. */
  summary?: string
  /** See `optionsFor`. */
  extraMs?: number
}

/** Calls an activity once and makes a value of what comes: nothing but a bug is thrown. */
export async function tryOnce<I, T>({
  step,
  activity,
  input,
  summary = step,
  extraMs,
}: ActivityCall<I>): Promise<Tried<T>> {
  const options = optionsFor(activity, workflowInfo().taskQueue, { summary, extraMs })
  const call = proxyActivities<Record<string, (input: I) => Promise<T>>>(options)[activity]
  if (call === undefined) throw new Error(`activity ${activity} has no proxy`)
  try {
    return { status: 'passed', value: await call(input) }
  } catch (error) {
    if (isCancellation(error)) return { status: 'canceled' }
    if (error instanceof ActivityFailure) return asFailed(error, step)
    throw error
  }
}

function asFailed(error: ActivityFailure, step: string): Tried<never> {
  const { cause } = error
  if (cause instanceof TimeoutFailure) {
    const message = `${step} was lost or ran out of time`
    return { status: 'failed', failure: { type: 'Tool.TimedOut', message, step }, details: {} }
  }
  if (!(cause instanceof ApplicationFailure)) {
    const message = cause?.message ?? error.message
    return { status: 'failed', failure: { type: 'Tool.Failed', message, step }, details: {} }
  }
  const failure = { type: cause.type ?? 'Error', message: cause.message, step }
  const [details = {}] = (cause.details ?? []) as [Record<string, unknown>?]
  const { retryAfterMs } = details
  return {
    status: 'failed',
    failure,
    details,
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
  }
}

function settle<I, T>(run: Run, { step, note }: StepCall<I, T>, outcome: Attempted<T>): Attempted<T> {
  run.mark(step, outcome.status, noteOf(note, outcome))
  return outcome
}

function noteOf<T>(note: (value: T) => string | null, outcome: Attempted<T>): string | null {
  if (outcome.status === 'passed') return note(outcome.value)
  return outcome.status === 'failed' ? `${outcome.failure.type}: ${outcome.failure.message}` : null
}
