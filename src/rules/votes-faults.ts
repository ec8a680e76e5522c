import type { Vote } from '../contracts/votes.js'
import { listNames } from './votes-names.js'

/** What is wrong with votes that are each well formed. */
export interface VoteFault {
  /** Where in the input: ['votes', 2, 'evaluator_id']. */
  path: (string | number)[]
  /** What was expected there. */
  message: string
}

interface Ballots {
  votes: readonly Vote[]
  /** Null: not given. */
  candidates: readonly string[] | null
}

/** An evaluator that votes twice, a candidate that stands twice, a vote for somebody who does not stand. */
export function voteFaults({ votes, candidates }: Ballots): VoteFault[] {
  const evaluators = votes.map((vote) => vote.evaluator_id)
  const voted = repeats(evaluators).map(([at, first]) => ({
    path: ['votes', at, 'evaluator_id'],
    message: `expected each evaluator to vote once, but votes.${first} is theirs too`,
  }))
  const named = repeats(candidates ?? []).map(([at, first]) => ({
    path: ['candidates', at],
    message: `expected each candidate once, but candidates.${first} is the same`,
  }))
  return [...named, ...voted, ...strayVotes(votes, candidates)]
}

/** Places of what was there before, each with the place of the first. */
function repeats(names: readonly string[]): [at: number, first: number][] {
  const firsts = new Map<string, number>()
  return names.flatMap((name, at) => {
    const first = firsts.get(name)
    if (first === undefined) firsts.set(name, at)
    return first === undefined ? [] : [[at, first] as [number, number]]
  })
}

function strayVotes(votes: readonly Vote[], candidates: readonly string[] | null): VoteFault[] {
  if (candidates === null) return []
  const known = new Set(candidates)
  const message = `expected one of the candidates ${listNames(candidates)}`
  return votes.flatMap(({ elimination_decision: { eliminated } }, at) =>
    eliminated === null || known.has(eliminated)
      ? []
      : [{ path: ['votes', at, 'elimination_decision', 'eliminated'], message }],
  )
}
