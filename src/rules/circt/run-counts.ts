/** Runs that settle what a case shows. */
export const SURE_RUNS = 3

/** Runs for a failure that does not come up each time: one that shows in a third of all runs is missed by so many in one of a hundred. */
export const FLAKY_RUNS = 12

/** Milliseconds after which nobody waits any longer for such a failure: a step has ten minutes, and a clean run may take one of them. */
const PATIENCE_MS = 60_000

/** Whether a failure that did not come up in so many runs is worth another one. */
export function isWorthAnother({ runs, elapsedMs }: { runs: number; elapsedMs: number }): boolean {
  return runs < FLAKY_RUNS && elapsedMs < PATIENCE_MS
}
