import { midRanks, type ScoreRow } from './ranks.js'

/**
 * Kendall's tau-b of two lists of scores, -1 (turned around) to 1 (the same order), over the places both know. Null when it is not
 * defined: fewer than two such places, or one of the lists is level throughout.
 */
export function tauB(left: ScoreRow, right: ScoreRow): number | null {
  const counts = { alike: 0, contrary: 0, onlyX: 0, onlyY: 0 }
  // By index, and without a list for each pair: a large jury has a million of them.
  for (let i = 0; i < left.length; i++) {
    const x = left[i]
    const y = right[i]
    if (x == null || y == null) continue
    for (let j = 0; j < i; j++) {
      const otherX = left[j]
      const otherY = right[j]
      if (otherX != null && otherY != null) countPair(counts, x - otherX, y - otherY)
    }
  }
  const { alike, contrary, onlyX, onlyY } = counts
  const strict = alike + contrary
  const scale = Math.sqrt((strict + onlyX) * (strict + onlyY))
  return scale === 0 ? null : (alike - contrary) / scale
}

/** By how much the one of two candidates is ahead in either list. */
function countPair(
  counts: { alike: number; contrary: number; onlyX: number; onlyY: number },
  x: number,
  y: number,
): void {
  if (x * y > 0) counts.alike++
  else if (x * y < 0) counts.contrary++
  else if (x !== 0) counts.onlyX++
  else if (y !== 0) counts.onlyY++
}

/** Every pair of rows once, the mean of their taus; null when none is defined. */
export function meanTau(rows: readonly ScoreRow[]): number | null {
  const taus = rows.flatMap((row, at) => rows.slice(at + 1).map((other) => tauB(row, other)))
  const known = taus.filter((tau) => tau !== null)
  return known.length === 0 ? null : known.reduce((sum, tau) => sum + tau, 0) / known.length
}

/**
 * Kendall's coefficient of concordance W with the correction for ties: 0 (no agreement) to 1 (the same order from all), of the rows that
 * judge every candidate. Null when it is not defined: fewer than two such rows or candidates, or every row is level throughout.
 */
export function concordance(rows: readonly ScoreRow[]): number | null {
  const whole = rows.filter((row) => !row.includes(null)).map((row) => midRanks(row).filter((rank) => rank !== null))
  const judges = whole.length
  const candidates = whole[0]?.length ?? 0
  if (judges < 2 || candidates < 2) return null
  const sums = whole[0]?.map((_, at) => whole.reduce((sum, ranks) => sum + (ranks[at] ?? 0), 0)) ?? []
  const mean = (judges * (candidates + 1)) / 2
  const spread = sums.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  const ties = whole.reduce((sum, ranks) => sum + tieTerm(ranks), 0)
  const most = judges ** 2 * (candidates ** 3 - candidates) - judges * ties
  return most === 0 ? null : (12 * spread) / most
}

/** The sum of t³ - t over groups of t equal ranks. */
function tieTerm(ranks: readonly number[]): number {
  const groups = new Map<number, number>()
  for (const rank of ranks) groups.set(rank, (groups.get(rank) ?? 0) + 1)
  return [...groups.values()].reduce((sum, count) => sum + count ** 3 - count, 0)
}
