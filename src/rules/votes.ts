import type { Vote, VoteCount, VoteInput, VoteResult } from '../contracts/votes.js'
import { findConflicts } from './votes-conflicts.js'
import { agreementRatio, consensusLevel } from './votes-consensus.js'
import { type Tally, tallyByCandidate, TOLERANCE } from './votes-tally.js'

/**
 * The vote aggregator of seed 003: counts, weighs, eliminates whoever reaches the threshold, and says how far the evaluators agree.
 * It may eliminate several at once, even everybody: `isDecided` tells, and `conflicts` name them. Takes time in proportion to its input.
 */
export function tallyVotes(input: VoteInput): VoteResult {
  const { votes } = input
  const tallies = tallyByCandidate(input)
  const eliminated = tallies.filter((tally) => isEliminated(tally, input))
  const isOut = new Set(eliminated.map(nameOf))
  const mostVotes = tallies.reduce((most, tally) => Math.max(most, tally.votes.length), 0)
  return {
    aggregated_result: {
      eliminated_candidates: [...isOut],
      survivors: tallies.map(nameOf).filter((name) => !isOut.has(name)),
    },
    threshold_reached: eliminated.length > 0,
    vote_distribution: Object.fromEntries(tallies.map((tally) => [tally.candidate, countOf(tally)])),
    consensus_analysis: {
      consensus_level: consensusLevel(mostVotes, votes.length),
      agreement_ratio: agreementRatio(mostVotes, votes.length),
      conflicts: findConflicts(input, tallies, eliminated),
    },
    reasoning_summary: Object.fromEntries(
      tallies.filter((tally) => tally.votes.length > 0).map((tally) => [tally.candidate, tally.votes.map(reasonOf)]),
    ),
  }
}

/**
 * False when the vote settles nothing: nobody reached the threshold, or all of several candidates did (a tie that would leave nobody).
 * A single known candidate may go: who else stands was not said then.
 */
export function isDecided({ aggregated_result, threshold_reached }: VoteResult): boolean {
  const { eliminated_candidates, survivors } = aggregated_result
  return threshold_reached && (survivors.length > 0 || eliminated_candidates.length === 1)
}

function isEliminated({ votes, weighted }: Tally, input: VoteInput): boolean {
  if (input.require_unanimous && votes.length < input.votes.length) return false
  return weighted >= input.elimination_threshold - TOLERANCE
}

function nameOf({ candidate }: Tally): string {
  return candidate
}

function countOf({ votes, weighted }: Tally): VoteCount {
  return {
    raw_votes: votes.length,
    weighted_votes: weighted,
    voters: votes.map((vote) => vote.evaluator_id),
  }
}

function reasonOf({ evaluator_id, elimination_decision }: Vote): string {
  return `${evaluator_id}: ${elimination_decision.reason ?? 'gave no reason'}`
}
