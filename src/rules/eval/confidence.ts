import type { ConsensusLevel } from '../../contracts/votes.js'
import type { ScoreRow } from './ranks.js'
import { leadersOf } from './synthesis.js'
import type { CONFIDENCE_LEVELS, DECISION_PATHS } from './words.js'

export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number]
export type DecisionPath = (typeof DECISION_PATHS)[number]

/** Four figures from 0 to 1, a quarter of the score each. */
export interface ConfidenceFactors {
  consensus: number
  stability: number
  robustness: number
  margin: number
}

export interface ConfidenceScore {
  /** 0 to 1. */
  score: number
  level: ConfidenceLevel
  factors: ConfidenceFactors
}

/** The calculator's four quarters, then the consensus builder's mark for the path, and its levels. */
export function confidenceOf(factors: ConfidenceFactors, path: DecisionPath): ConfidenceScore {
  const { consensus, stability, robustness, margin } = factors
  const sum = (consensus + stability + robustness + margin) / 4 + PATH_MARK[path]
  // Quarters and tenths: binary fractions must not decide at a bound.
  const score = Math.round(Math.min(1, Math.max(0, sum)) * 1e9) / 1e9
  const [level] = LEVELS.find(([, least]) => score >= least) ?? ['Very Low']
  return { score, level, factors }
}

const PATH_MARK = { A: 0.2, B: 0.1, C: -0.1 } as const satisfies Record<DecisionPath, number>

const LEVELS = [
  ['Very High', 0.9],
  ['High', 0.8],
  ['Medium', 0.6],
  ['Low', 0.4],
  ['Very Low', 0],
] as const satisfies readonly (readonly [ConfidenceLevel, number])[]

export const CONSENSUS_FACTOR = {
  unanimous: 1,
  strong: 0.8,
  moderate: 0.6,
  weak: 0.4,
  split: 0.2,
} as const satisfies Record<ConsensusLevel, number>

/** Points between the two best: 2 and more, 1, half a point, less. With nobody to compare, nothing is won. */
export function marginFactor(points: number | null): number {
  if (points === null) return 0.25
  // Means of tenths, not quite what they seem.
  const lead = points + 1e-9
  return lead >= 2 ? 1 : lead >= 1 ? 0.75 : lead >= 0.5 ? 0.5 : 0.25
}

/** The share of juries, each with one judge left out, that choose the same. A single judge leaves nobody: 0. */
export function stabilityFactor(rows: readonly ScoreRow[], candidates: readonly number[], winner: number): number {
  if (rows.length < 2) return 0
  const same = rows.filter((_, out) => {
    const leaders = leadersOf(
      rows.filter((_row, at) => at !== out),
      candidates,
    )
    return leaders.length === 1 && leaders[0] === winner
  })
  return same.length / rows.length
}

/** What attacks say, else what is known of the winner: half, when nobody attacked it and nobody found a Critical defect. */
export function robustnessFactor(attacked: number | null, hasCritical: boolean): number {
  return attacked ?? (hasCritical ? 0 : 0.5)
}
