import type { Dimension, Recommendation } from '../../contracts/aggregate.js'
import { DIMENSIONS } from '../aggregate-verdict.js'
import type { CurrentRound, RefineAsked, RefineFacts, RefineWord } from './decide-refine.js'

export function openRefine(maxRounds: number): RefineFacts {
  return { maxRounds, rounds: [], current: null, word: null, isExhausted: false }
}

/** The writer's turn is over. Its round begins with it. */
export function noteWritten(facts: RefineFacts, write: Exclude<CurrentRound['write'], 'due'>): RefineFacts {
  return { ...facts, word: null, current: { write, reviews: allDue(), judge: 'due' } }
}

/** Reviews that came in, or were taken over from a round with the same code. */
export function noteReviews(facts: RefineFacts, outcomes: Partial<Record<Dimension, 'done' | 'failed'>>): RefineFacts {
  const current = roundOf(facts)
  return { ...facts, current: { ...current, reviews: { ...current.reviews, ...outcomes } } }
}

/** The round was judged; null when that failed. */
export function noteJudged(facts: RefineFacts, recommendation: Recommendation | null): RefineFacts {
  if (recommendation === null) return { ...facts, current: { ...roundOf(facts), judge: 'failed' } }
  return { ...facts, current: null, word: null, rounds: [...facts.rounds, recommendation] }
}

/** A person's word, or the default's. What failed is due again after `retry`. */
export function noteWord(facts: RefineFacts, asked: RefineAsked, word: RefineWord): RefineFacts {
  const granted = GRANTED[word] ?? 0
  if (granted > 0) return { ...facts, maxRounds: facts.maxRounds + granted }
  if (word !== 'retry') return { ...facts, word }
  if (asked === 'writer') return { ...facts, word: null, current: { ...roundOf(facts), write: 'due' } }
  const current = roundOf(facts)
  const failed = DIMENSIONS.filter((dimension) => current.reviews[dimension] === 'failed')
  const due = Object.fromEntries(failed.map((dimension) => [dimension, 'due'] as const))
  return { ...facts, word: null, current: { ...current, reviews: { ...current.reviews, ...due } } }
}

const GRANTED: Partial<Record<RefineWord, number>> = { grant_1: 1, grant_3: 3 }

function allDue(): CurrentRound['reviews'] {
  return { security: 'due', quality: 'due', performance: 'due' }
}

function roundOf({ current }: RefineFacts): CurrentRound {
  if (current === null) throw new Error('no round is under way')
  return current
}
