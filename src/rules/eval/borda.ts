import { cellOf, type PairwiseMatrix } from './pairwise.js'

/**
 * Borda points: from each judge one for every candidate that is ranked below, half a point for one that is level with it, or for a pair
 * of which the judge does not know one. For whole rankings without ties that is the classic n-1, n-2, … 0.
 */
export function bordaPoints(matrix: PairwiseMatrix, judges: number): number[] {
  return matrix.map((row, i) =>
    row.reduce((points, wins, j) => (i === j ? points : points + (judges + wins - cellOf(matrix, j, i)) / 2), 0),
  )
}
