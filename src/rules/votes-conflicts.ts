import type { Vote, VoteConflict, VoteInput } from '../contracts/votes.js'
import { favourites } from './votes-favourites.js'
import { countedVotes, listFew, listNames, showWeight } from './votes-names.js'
import { type Tally, TOLERANCE } from './votes-tally.js'

/**
 * Conflicts with those who are in them, in the order of the candidates: first candidates between whom the evaluators are split (one
 * entry each, with its voters), then those voted out by some and rated best or high by others (its voters, then the others).
 */
export function findConflicts(
  input: VoteInput,
  tallies: readonly Tally[],
  eliminated: readonly Tally[],
): VoteConflict[] {
  return [...splitsBetween(tallies, eliminated, input), ...contested(input.votes, tallies)]
}

/** No single candidate stands out: several are eliminated at once, or no one leads by both counts. */
function splitsBetween(tallies: readonly Tally[], eliminated: readonly Tally[], input: VoteInput): VoteConflict[] {
  const together = eliminated.length > 1 ? eliminated : []
  const isOut = new Set(together)
  const leading = leaders(tallies)
  const level = leading.length > 1 ? leading.filter((tally) => !isOut.has(tally)) : []
  const reached = `the threshold of ${input.elimination_threshold}`
  const tie =
    eliminated.length === tallies.length
      ? `tie: all ${tallies.length} candidates reach ${reached} and nobody would be left`
      : `tie: ${eliminated.length} candidates reach ${reached} at once`
  return [
    ...entriesOf(together, `${tie}: ${listed(together)}`),
    ...entriesOf(level, `split: no candidate leads alone by votes and by weight: ${listed(leading)}`),
  ]
}

/** Those with the most votes and those with the most weight, in order. */
function leaders(tallies: readonly Tally[]): Tally[] {
  const votes = tallies.reduce((most, tally) => Math.max(most, tally.votes.length), 1)
  // No weight at all leads nowhere.
  const weighted = tallies.reduce((most, tally) => Math.max(most, tally.weighted), 2 * TOLERANCE)
  return tallies.filter((tally) => tally.votes.length === votes || tally.weighted >= weighted - TOLERANCE)
}

function entriesOf(tallies: readonly Tally[], description: string): VoteConflict[] {
  return tallies.map(({ candidate, votes }) => ({
    candidate,
    conflicting_evaluators: votes.map((vote) => vote.evaluator_id),
    description,
  }))
}

function listed(tallies: readonly Tally[]): string {
  return listFew(
    tallies,
    ({ candidate, votes, weighted }) =>
      `${JSON.stringify(candidate)} (${countedVotes(votes.length)}, weight ${showWeight(weighted)})`,
  )
}

/** Some vote it out, others rate it best or high. */
function contested(votes: readonly Vote[], tallies: readonly Tally[]): VoteConflict[] {
  const admirers = new Map<string, string[]>(tallies.map(({ candidate }) => [candidate, []]))
  for (const { evaluator_id, elimination_decision, quick_assessments } of votes) {
    for (const name of favourites(quick_assessments)) {
      if (name !== elimination_decision.eliminated) admirers.get(name)?.push(evaluator_id)
    }
  }
  return tallies.flatMap(({ candidate, votes: own }) => {
    const against = own.map((vote) => vote.evaluator_id)
    const others = admirers.get(candidate) ?? []
    if (against.length === 0 || others.length === 0) return []
    const description = `contested: voted out by ${listNames(against)}, rated best or high by ${listNames(others)}`
    return [{ candidate, conflicting_evaluators: [...against, ...others], description }]
  })
}
