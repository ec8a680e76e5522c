/** What one judge thinks of each candidate, in the candidates' order: higher is better, null was not judged. */
export type ScoreRow = readonly (number | null)[]

/** 1 is the highest; those who are level share the mean of their places (1, 2.5, 2.5, 4). Null stays null and takes no place. */
export function midRanks(scores: ScoreRow): (number | null)[] {
  const known = scores.filter((score) => score !== null)
  return scores.map((score) => {
    if (score === null) return null
    const better = known.filter((other) => other > score).length
    const level = known.filter((other) => other === score).length
    return better + (level + 1) / 2
  })
}

/** The arithmetic mean; null of nothing. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The mean of the two middle ones where their number is even; null of nothing. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return meanOf(sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1))
}
