import type { Confidence, Vote, VoteResult } from '../../contracts/votes.js'
import { DEFAULT_WEIGHTS } from '../votes-tally.js'
import { isDecided, tallyVotes } from '../votes.js'
import { candidateOf, type View } from './blinding.js'
import { meanOf, type ScoreRow } from './ranks.js'
import { hasQuorum } from './seats.js'

/** What a screener's answer says, in its own labels. */
export interface ScreeningExtract {
  scores: Readonly<Record<string, number>>
  eliminated: string | null
  reason: string
  confidence: Confidence
}

/** The same in the places of the candidates. */
export interface Ballot {
  scores: ScoreRow
  eliminated: number | null
  reason: string
  confidence: Confidence
}

/** Takes the labels off again. */
export function ballotOf(extract: ScreeningExtract, view: View, candidates: number): Ballot {
  const scores = Array.from({ length: candidates }, (_, candidate) => {
    const label = view.labels[view.order.indexOf(candidate)]
    return label === undefined ? null : (extract.scores[label] ?? null)
  })
  const eliminated = extract.eliminated === null ? null : candidateOf(view, extract.eliminated)
  return { scores, eliminated, reason: extract.reason, confidence: extract.confidence }
}

/**
 * One ballot of two askings of the same judge, the second with the order turned: scores are the means. A judge that names somebody else
 * when the order is turned has not decided: it abstains, and says so.
 */
export function reconcile(first: Ballot, second: Ballot | null, names: readonly string[]): Ballot {
  if (second === null) return first
  const scores = first.scores.map((score, at) =>
    meanOf([score, second.scores[at] ?? null].filter((each) => each !== null)),
  )
  if (first.eliminated === second.eliminated) {
    const isSurer = DEFAULT_WEIGHTS[first.confidence] <= DEFAULT_WEIGHTS[second.confidence]
    return { ...first, scores, confidence: isSurer ? first.confidence : second.confidence }
  }
  const said = [first, second].map(({ eliminated }) =>
    eliminated === null ? 'nobody' : `"${names[eliminated] ?? ''}"`,
  )
  const reason = `contradicts itself: against ${said[0]}, with the order turned against ${said[1]}; first reason: ${first.reason}`
  return { scores, eliminated: null, confidence: 'Low', reason }
}

/** One seat of the jury: its ballot, or null for a judge that was lost. */
export interface Seat {
  judge: string
  ballot: Ballot | null
}

export type ScreeningEnd = 'decided' | 'weak' | 'undecided' | 'everyone' | 'no_quorum'

export interface ScreeningResult {
  end: ScreeningEnd
  result: VoteResult
  /** Places, in order. Empty unless `end` is decided or weak. */
  eliminated: number[]
}

/** Gate 1: at least one goes, and this share of the seats agrees. */
export const LEAST_AGREEMENT = 0.6

/** Round 1. An empty seat abstains: it counts among the votes. */
export function concludeScreening(
  seats: readonly Seat[],
  names: readonly string[],
  threshold: number,
): ScreeningResult {
  const result = tallyVotes({
    votes: seats.map((seat) => voteOf(seat, names)),
    elimination_threshold: threshold,
    confidence_weights: DEFAULT_WEIGHTS,
    require_unanimous: false,
    candidates: [...names],
  })
  const out = new Set(result.aggregated_result.eliminated_candidates)
  const end = endOf(seats, result)
  const hasOut = end === 'decided' || end === 'weak'
  return { end, result, eliminated: hasOut ? names.flatMap((name, at) => (out.has(name) ? [at] : [])) : [] }
}

function endOf(seats: readonly Seat[], result: VoteResult): ScreeningEnd {
  if (!hasQuorum(seats.filter(({ ballot }) => ballot !== null).length, seats.length)) return 'no_quorum'
  if (!result.threshold_reached) return 'undecided'
  if (!isDecided(result)) return 'everyone'
  return result.consensus_analysis.agreement_ratio >= LEAST_AGREEMENT ? 'decided' : 'weak'
}

function voteOf({ judge, ballot }: Seat, names: readonly string[]): Vote {
  const eliminated = ballot === null || ballot.eliminated === null ? null : (names[ballot.eliminated] ?? null)
  const assessed = (ballot?.scores ?? []).flatMap((score, at) => (score === null ? [] : [[names[at] ?? '', { score }]]))
  return {
    evaluator_id: judge,
    elimination_decision: {
      eliminated,
      reason: ballot === null ? 'gave no answer' : ballot.reason,
      confidence: ballot?.confidence ?? 'Medium',
    },
    quick_assessments: Object.fromEntries(assessed),
  }
}
