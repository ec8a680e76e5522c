import { cellOf, type PairwiseMatrix } from './pairwise.js'

export interface SchulzeRanking {
  /** `strengths[i][j]`: of the strongest path from i to j, its weakest link in judges; 0 without a path. */
  strengths: number[][]
  /** 1 for who is beaten by nobody: one more than the candidates that beat it. Several may share a rank. */
  ranks: number[]
}

/**
 * The Schulze method on winning votes: a link from i to j is the number of judges for i where they are more than those for j. Candidate i
 * beats j when its strongest path to j is stronger than the way back. That relation is transitive, so whoever beats another has the
 * better rank; equal ranks are a tie and are never broken here.
 */
export function schulzeRanking(matrix: PairwiseMatrix): SchulzeRanking {
  const strengths = matrix.map((row, i) => row.map((wins, j) => (wins > cellOf(matrix, j, i) ? wins : 0)))
  // Floyd and Warshall, for the widest paths.
  for (const [k, through] of strengths.entries()) {
    for (const [i, from] of strengths.entries()) if (i !== k) widen(from, through, { to: k, from: i })
  }
  const beatenBy = (j: number) => strengths.filter((row, i) => (row[j] ?? 0) > cellOf(strengths, j, i)).length
  return { strengths, ranks: strengths.map((_, j) => 1 + beatenBy(j)) }
}

/**
 * The paths from `from` that lead over `to`. By index and without `Math`: this is done a candidate cubed times for each judge, and in a
 * workflow's sandbox each look at a global costs more than all the rest.
 */
function widen(own: number[], onward: readonly number[], at: { to: number; from: number }): void {
  const first = own[at.to] ?? 0
  for (let j = 0; j < own.length; j++) {
    const rest = onward[j] ?? 0
    const weakest = first < rest ? first : rest
    if (j !== at.from && j !== at.to && weakest > (own[j] ?? 0)) own[j] = weakest
  }
}
