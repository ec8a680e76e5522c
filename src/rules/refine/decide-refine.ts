import type { Dimension, Recommendation } from '../../contracts/aggregate.js'
import type { RefineVerdict } from '../../contracts/refine.js'
import { DIMENSIONS } from '../aggregate-verdict.js'

/** All that decides what happens next. What is under way is not in it: the workflow asks again when it has ended. */
export interface RefineFacts {
  /** The highest number a round may have; grows when a person grants more. */
  maxRounds: number
  /** Of the rounds that were judged, oldest first: what the aggregator recommends. */
  rounds: readonly Recommendation[]
  /** The round under way; null between rounds. */
  current: CurrentRound | null
  /** A person's word on what `decideRefine` asks now; null until it is given. */
  word: RefineWord | null
  /** The budget is used up, and nobody granted more. */
  isExhausted: boolean
}

export interface CurrentRound {
  /** `empty`: the writer left nothing to review. */
  write: 'due' | 'done' | 'empty' | 'failed'
  reviews: Readonly<Record<Dimension, 'due' | 'done' | 'failed'>>
  judge: 'due' | 'failed'
}

export type RefineAsked = 'writer' | 'reviewers' | 'stalled' | 'max_iterations'

/** `continue`: one more round; `grant_…`: so many more rounds; `take_best`: end with the best round's code; `stop`: end without it. */
export type RefineWord = 'retry' | 'continue' | 'grant_1' | 'grant_3' | 'take_best' | 'stop'

/** What may be said to what, the default last: nobody there means an honest end that keeps what is good. */
export const REFINE_WORDS = {
  writer: ['retry', 'stop'],
  reviewers: ['retry', 'stop'],
  stalled: ['continue', 'stop', 'take_best'],
  max_iterations: ['grant_1', 'grant_3', 'stop', 'take_best'],
} as const satisfies Record<RefineAsked, readonly RefineWord[]>

export interface RefineEnd {
  status: 'completed' | 'failed' | 'budget_exhausted'
  verdict: RefineVerdict
  /** Whether the best round's commit becomes the run's branch. */
  keepsBest: boolean
  /** What could not be had; null when the loop came to an end of its own. */
  because: 'tech_stack' | 'writer' | 'reviewers' | 'judge' | 'budget' | null
}

export type RefineDecision =
  | { kind: 'write' }
  | { kind: 'review'; dimensions: readonly Dimension[] }
  | { kind: 'judge' }
  | { kind: 'ask'; asked: RefineAsked }
  | { kind: 'end'; end: RefineEnd }

/**
 * Says what to do next, from the facts alone: writer, then the three reviewers, then the verdict, then the next round (pipelines.md, refine 8). A
 * dimension that is missing is never judged as 0 or 100: it is retried, then a person is asked, then the run ends in error.
 */
export function decideRefine(facts: RefineFacts): RefineDecision {
  if (facts.isExhausted) return end('budget_exhausted', 'budget_exhausted', 'budget')
  return facts.current === null ? betweenRounds(facts) : withinRound(facts.current, facts.word)
}

function betweenRounds({ rounds, maxRounds, word }: RefineFacts): RefineDecision {
  const last = rounds.at(-1)
  if (last === undefined || last === 'ITERATE') return { kind: 'write' }
  if (last === 'PASS') return end('completed', 'PASS', null)
  const asked = last === 'STALLED' ? 'stalled' : 'max_iterations'
  if (word === 'stop' || word === 'take_best') {
    return { kind: 'end', end: { status: 'completed', verdict: last, keepsBest: word === 'take_best', because: null } }
  }
  const goesOn = asked === 'stalled' ? word === 'continue' : rounds.length < maxRounds
  return goesOn ? { kind: 'write' } : { kind: 'ask', asked }
}

function withinRound({ write, reviews, judge }: CurrentRound, word: RefineWord | null): RefineDecision {
  if (write === 'due') return { kind: 'write' }
  if (write !== 'done') return askOrEnd('writer', word)
  const due = DIMENSIONS.filter((dimension) => reviews[dimension] === 'due')
  if (due.length > 0) return { kind: 'review', dimensions: due }
  if (DIMENSIONS.some((dimension) => reviews[dimension] === 'failed')) return askOrEnd('reviewers', word)
  return judge === 'due' ? { kind: 'judge' } : end('failed', 'error', 'judge')
}

function askOrEnd(asked: 'writer' | 'reviewers', word: RefineWord | null): RefineDecision {
  return word === 'stop' ? end('failed', 'error', asked) : { kind: 'ask', asked }
}

function end(status: RefineEnd['status'], verdict: RefineVerdict, because: RefineEnd['because']): RefineDecision {
  return { kind: 'end', end: { status, verdict, keepsBest: true, because } }
}
