import { meanOf } from './ranks.js'
import type { Angle } from './words.js'

/** What the analyses of round 2 say of a candidate, a judge each; null where there is none. */
export interface Cell {
  /** 0 to 10; null where a judge had no opinion. */
  score: number | null
  severities: Readonly<Record<'Critical' | 'Major' | 'Minor', number>>
  angles: readonly Angle[]
}

/** Points that somebody who was voted out must be ahead of the best of those who stayed. */
export const LEAST_ADVANTAGE = 0.5
/** Angles with evidence that make an analysis: gate 2. */
export const LEAST_ANGLES = 3

/**
 * Whether a candidate that was voted out turns out milder than the best survivor: analysed from three angles, a mean score at least half
 * a point higher by the judges that scored both, and no heavier defects. Null: cannot be told, for want of analyses.
 */
export function isMilder(out: readonly (Cell | null)[], best: readonly (Cell | null)[]): boolean | null {
  const both = out.flatMap((cell, judge) => {
    const other = best[judge] ?? null
    return cell === null || other === null || cell.score === null || other.score === null
      ? []
      : [{ out: cell, best: other, lead: cell.score - other.score }]
  })
  const lead = meanOf(both.map((each) => each.lead))
  if (lead === null || anglesOf(out).length < LEAST_ANGLES) return null
  const burdens = both.map((each) => [burdenOf(each.out), burdenOf(each.best)] as const)
  const [own, theirs] = [meanOf(burdens.map(([one]) => one)) ?? 0, meanOf(burdens.map(([, other]) => other)) ?? 0]
  return lead >= LEAST_ADVANTAGE && own <= theirs
}

/** Distinct angles, of all judges together. */
export function anglesOf(cells: readonly (Cell | null)[]): Angle[] {
  return [...new Set(cells.flatMap((cell) => cell?.angles ?? []))]
}

/** A Critical defect weighs as much as four Minor ones. */
export function burdenOf({ severities }: Pick<Cell, 'severities'>): number {
  return 4 * severities.Critical + 2 * severities.Major + severities.Minor
}
