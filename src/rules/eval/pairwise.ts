import type { ScoreRow } from './ranks.js'

/** `matrix[i][j]`: how many judges prefer candidate i to candidate j. Who is level with, or was not judged, is preferred by nobody. */
export type PairwiseMatrix = readonly (readonly number[])[]

export function pairwiseMatrix(rows: readonly ScoreRow[], candidates: number): PairwiseMatrix {
  const places = Array.from({ length: candidates }, (_, at) => at)
  return places.map((i) => places.map((j) => rows.filter((row) => prefers(row, i, j)).length))
}

function prefers(row: ScoreRow, i: number, j: number): boolean {
  const [one, other] = [row[i] ?? null, row[j] ?? null]
  return one !== null && other !== null && one > other
}

/** Cell of a matrix by place; 0 outside of it, which no caller asks for. */
export function cellOf(matrix: PairwiseMatrix, i: number, j: number): number {
  return matrix[i]?.[j] ?? 0
}
