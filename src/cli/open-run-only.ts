import { mistake } from './cli-error.js'
import type { FoundRun } from './find-run.js'

/** The same run, unless it is over: then nobody can step in any more. Throws `Failure('Contract.Violated')`. */
export function openRunOnly(run: FoundRun): FoundRun {
  if (!run.isClosed) return run
  throw mistake('RUN', 'a run under way', `${run.workflowId}, which is ${run.execution.toLowerCase()}`)
}
