import type { EvalProgress } from './progress.js'

/**
 * Survivors that a program found a Critical defect in, while others have none: evidence beats votes. Nobody when all would go; then the
 * figures say so.
 */
export function measuredOut({ survivors, measured, seats }: EvalProgress): EvalProgress['out'] {
  const found = survivors.flatMap((candidate) => {
    const seat = measured.findIndex((row) => (row[candidate]?.severities.Critical ?? 0) > 0)
    if (seat < 0) return []
    const why = `measured by ${seats[seat]?.name ?? ''}: ${measured[seat]?.[candidate]?.reasons[0] ?? 'a Critical defect'}`
    return [{ candidate, round: 1, why, isMeasured: true }]
  })
  return found.length < survivors.length ? found : []
}

/** True once nothing more is voted or asked about round 1, and it goes on. */
export function isScreened({ facts }: EvalProgress): boolean {
  const end = facts.revote ?? facts.screening
  return end === 'decided' || (facts.screeningWord !== null && facts.screeningWord !== 'stop')
}
