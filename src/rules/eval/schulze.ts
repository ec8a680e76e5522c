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
  strengths.forEach((through, k) => {
    strengths.forEach((from, i) => {
      if (i === k) return
      through.forEach((onward, j) => {
        if (j !== i && j !== k) from[j] = Math.max(from[j] ?? 0, Math.min(from[k] ?? 0, onward))
      })
    })
  })
  const beatenBy = (j: number) => strengths.filter((row, i) => (row[j] ?? 0) > cellOf(strengths, j, i)).length
  return { strengths, ranks: strengths.map((_, j) => 1 + beatenBy(j)) }
}
