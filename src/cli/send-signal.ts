import { EXIT } from '../rules/cli-exit-codes.js'
import type { Output } from './command.js'
import type { FoundRun } from './find-run.js'
import { bounded, CALL_MS, type Session } from './session.js'

export interface SignalOrder {
  name: 'guide' | 'pause' | 'resume' | 'abort'
  args: readonly string[]
  /** Half a sentence for people: what was done. */
  done: string
}

/** Sends a signal. The server keeps it: it counts even when no worker runs just now. */
export async function sendSignal(session: Session, run: FoundRun, { name, args, done }: SignalOrder): Promise<Output> {
  await bounded(session, CALL_MS, () => run.handle.signal(name, ...args))
  const json = { workflow_id: run.workflowId, run_id: run.runId, signal: name }
  return { exit: EXIT.good, json, text: `${run.workflowId}: ${done}` }
}
