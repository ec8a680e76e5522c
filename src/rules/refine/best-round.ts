import type { RefineRound } from '../../contracts/refine.js'

type Judged = Pick<RefineRound, 'recommendation' | 'overall' | 'issue_counts'>

/**
 * The round whose code is kept: one that passed, else one without Critical issues before one with, then the higher overall score, then
 * fewer High issues, then the earlier. Null before the first round.
 */
export function bestRound<R extends Judged>(rounds: readonly R[]): R | null {
  return rounds.reduce<R | null>((best, round) => (best === null || isBetter(round, best) ? round : best), null)
}

function isBetter(round: Judged, best: Judged): boolean {
  const ranks = [round, best].map(({ recommendation, overall, issue_counts }) => [
    recommendation === 'PASS' ? 1 : 0,
    issue_counts.critical === 0 ? 1 : 0,
    overall,
    -issue_counts.high,
  ])
  const [mine = [], its = []] = ranks
  const at = mine.findIndex((rank, index) => rank !== its[index])
  return at >= 0 && (mine[at] ?? 0) > (its[at] ?? 0)
}
