import type { ConsensusLevel } from '../contracts/votes.js'

/** From the strongest to the weakest. */
export const CONSENSUS_LEVELS = ['unanimous', 'strong', 'moderate', 'weak', 'split'] as const

/** Seed 003's table: the least agreement of each level, in percent. */
const LEAST_PERCENT = {
  unanimous: 100,
  strong: 80,
  moderate: 60,
  weak: 40,
  split: 0,
} as const satisfies Record<ConsensusLevel, number>

/** @param most votes against the candidate with the most of them; 0 when all abstained, which is `split`: nobody was agreed upon */
export function consensusLevel(most: number, votes: number): ConsensusLevel {
  // Whole numbers on both sides: no fraction decides.
  return CONSENSUS_LEVELS.find((level) => most * 100 >= LEAST_PERCENT[level] * votes) ?? 'split'
}

/** 0 to 1; abstentions count in `votes`. */
export function agreementRatio(most: number, votes: number): number {
  return votes === 0 ? 0 : most / votes
}
