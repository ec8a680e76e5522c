import type { Confidence, Vote, VoteInput } from '../contracts/votes.js'

/** Weighted votes are sums of fractions: what misses a bound by less than this meets it. */
export const TOLERANCE = 1e-9

/** What the votes say of one candidate. */
export interface Tally {
  candidate: string
  /** Against it, in order. */
  votes: Vote[]
  /** Sum of their confidences' weights. */
  weighted: number
}

/** One tally per known candidate, in first-seen order. */
export function tallyByCandidate({ votes, candidates, confidence_weights }: VoteInput): Tally[] {
  const against = new Map<string, Vote[]>(Array.from(candidates ?? namedBy(votes), (name) => [name, []]))
  for (const vote of votes) {
    const { eliminated } = vote.elimination_decision
    if (eliminated !== null) against.get(eliminated)?.push(vote)
  }
  return [...against].map(([candidate, own]) => ({ candidate, votes: own, weighted: weigh(own, confidence_weights) }))
}

/** Votes in order; within a vote the eliminated one, then the keys of the assessments. */
function namedBy(votes: readonly Vote[]): Set<string> {
  const names = new Set<string>()
  for (const { elimination_decision, quick_assessments } of votes) {
    if (elimination_decision.eliminated !== null) names.add(elimination_decision.eliminated)
    for (const name of Object.keys(quick_assessments)) names.add(name)
  }
  // No vote can mean a name that nobody can see.
  return new Set([...names].filter((name) => name.trim() !== ''))
}

/** Seed 003, `confidence_weights`. */
export const DEFAULT_WEIGHTS = { High: 1.5, Medium: 1, Low: 0.5 } as const satisfies Record<Confidence, number>

/** Counted before it is weighed: so the order of the votes cannot change the last digit. */
function weigh(votes: readonly Vote[], weights: VoteInput['confidence_weights']): number {
  const counts = { High: 0, Medium: 0, Low: 0 }
  for (const { elimination_decision } of votes) counts[elimination_decision.confidence] += 1
  return counts.High * weights.High + counts.Medium * weights.Medium + counts.Low * weights.Low
}
