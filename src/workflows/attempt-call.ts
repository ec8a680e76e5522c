import { sleep } from '@temporalio/workflow'
import { decideRetry } from '../rules/retry.js'
import { type ActivityCall, type Attempted, tryOnce } from './attempt.js'
import { type Run, whilePaused } from './run.js'

/** As `attemptStep`, for a call that has no row of its own on the run's list: one of many in a row's work. */
export async function attemptCall<I, T>(run: Run, call: ActivityCall<I>): Promise<Attempted<T>> {
  const failures = new Map<string, number>()
  for (;;) {
    await whilePaused(run)
    if (run.abortReason !== null) return { status: 'canceled' }
    const outcome = await tryOnce<I, T>(call)
    if (outcome.status !== 'failed') return outcome
    const { failure, retryAfterMs } = outcome
    const count = (failures.get(failure.type) ?? 0) + 1
    failures.set(failure.type, count)
    const delayMs = decideRetry({ type: failure.type, failures: count, retryAfterMs })
    if (delayMs === null) return { status: 'failed', failure }
    if (delayMs > 0) await sleep(delayMs, { summary: `${call.step}: ${failure.type}` })
  }
}
