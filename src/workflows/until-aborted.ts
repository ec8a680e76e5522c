import { CancellationScope, condition, isCancellation } from '@temporalio/workflow'
import type { Run } from './run.js'

/**
 * Does `work` in a scope that an abort cancels, and waits until it has ended, so that nothing is left running; undefined when it was cut short.
 * A cancellation of the workflow itself reaches it, and the caller, as always.
 */
export async function untilAborted<T>(run: Run, work: () => Promise<T>): Promise<T | undefined> {
  const scope = new CancellationScope({ cancellable: true })
  const watch = new CancellationScope({ cancellable: true })
  const watching = watch
    .run(() => condition(() => run.abortReason !== null))
    .then(() => scope.cancel())
    .catch(ignoreCancellation)
  try {
    return await scope.run(work)
  } catch (error) {
    const isAbort = run.abortReason !== null && !CancellationScope.current().consideredCancelled
    if (!isCancellation(error) || !isAbort) throw error
    return undefined
  } finally {
    watch.cancel()
    await watching
  }
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error
}
