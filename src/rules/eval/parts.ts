/**
 * The next candidates that a round takes on when each of `seats` has its say on each of them: few enough that the history of a run can
 * be read again quickly, and at least one.
 */
export function partOf(left: readonly number[], seats: number): number[] {
  return left.slice(0, Math.max(1, Math.floor(MOST_CALLS / Math.max(1, seats))))
}

/** Calls of agents or programs between two moments at which a run may go on in a new history. */
const MOST_CALLS = 300
