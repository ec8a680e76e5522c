import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../contracts/failures.js'
import { EXIT } from '../rules/cli-exit-codes.js'
import { Interrupted } from './cli-error.js'
import type { Output } from './command.js'
import { describedRun, NO_WORKER } from './described-run.js'
import type { FoundRun } from './find-run.js'
import { bounded, CALL_MS, type Session } from './session.js'

/** Longest wait for a run's programs to die and its documents to be written. */
const WAIT_MS = 60_000
const LOOK_MS = 200

export interface WaitOptions {
  signal: AbortSignal
  /** The word for people: 'aborted'. */
  done: string
  waitMs?: number
}

/**
 * Waits until a run that was told to end has ended. The order itself is kept by the server; without a worker there is nobody to carry it out yet:
 * `Failure('Tool.Failed')` says so.
 */
export async function waitUntilOver(session: Session, run: FoundRun, options: WaitOptions): Promise<Output> {
  const { workflowId, runId, handle } = run
  const end = Date.now() + (options.waitMs ?? WAIT_MS)
  let hasWorker: boolean | null = null
  while (Date.now() < end) {
    const { isClosed, execution } = describedRun(await bounded(session, CALL_MS, () => handle.describe()))
    const json = { workflow_id: workflowId, run_id: runId, status: options.done, execution: execution.toLowerCase() }
    if (isClosed) return { exit: EXIT.good, json, text: `${workflowId}: ${options.done}` }
    hasWorker ??= await isWorkedOn(session, handle)
    if (!hasWorker) throw new Failure('Tool.Failed', `the order is kept, but ${NO_WORKER}`)
    if (options.signal.aborted) throw new Interrupted('the order is kept; see `gauntlet status`')
    await sleep(LOOK_MS)
  }
  throw new Failure(
    'Tool.Failed',
    `${workflowId} has not ended within ${Math.round((options.waitMs ?? WAIT_MS) / 1000)} s; the order is kept`,
  )
}

/** What reads the answer is loaded only now, when the order is on its way. */
async function isWorkedOn(session: Session, handle: FoundRun['handle']): Promise<boolean> {
  const { queryState } = await import('./look-at-run.js')
  return (await queryState(session, handle)) !== null
}
