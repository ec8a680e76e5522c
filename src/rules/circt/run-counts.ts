/** Runs that settle what a case shows. */
export const SURE_RUNS = 3

/** Runs for a failure that does not come up each time: one that shows in a third of all runs is missed by so many in one of a hundred. */
export const FLAKY_RUNS = 12
