import { describe, expect, it } from 'vitest'
import type { Dimension, Recommendation } from '../../../src/contracts/aggregate.js'
import {
  type CurrentRound,
  decideRefine,
  REFINE_WORDS,
  type RefineDecision,
  type RefineFacts,
  type RefineWord,
} from '../../../src/rules/refine/decide-refine.js'
import { noteJudged, noteReviews, noteWord, noteWritten, openRefine } from '../../../src/rules/refine/refine-moves.js'

const facts = (parts: Partial<RefineFacts>): RefineFacts => ({ ...openRefine(5), ...parts })
const round = (parts: Partial<CurrentRound> = {}): CurrentRound => ({
  write: 'done',
  reviews: { security: 'done', quality: 'done', performance: 'done' },
  judge: 'due',
  ...parts,
})
const ended = (status: string, verdict: string, parts: object = {}) => ({
  kind: 'end',
  end: { status, verdict, keepsBest: true, because: null, ...parts },
})

describe('between rounds', () => {
  it.each<[what: string, RefineFacts, unknown]>([
    ['the first round is written', facts({}), { kind: 'write' }],
    ['ITERATE goes on', facts({ rounds: ['ITERATE'] }), { kind: 'write' }],
    ['PASS ends', facts({ rounds: ['ITERATE', 'PASS'] }), ended('completed', 'PASS')],
    [
      'PASS ends whatever a person said before',
      facts({ rounds: ['PASS'], word: 'continue' }),
      ended('completed', 'PASS'),
    ],
    ['STALLED asks', facts({ rounds: ['STALLED'] }), { kind: 'ask', asked: 'stalled' }],
    ['STALLED goes on at a word', facts({ rounds: ['STALLED'], word: 'continue' }), { kind: 'write' }],
    [
      'STALLED ends with the best round',
      facts({ rounds: ['STALLED'], word: 'take_best' }),
      ended('completed', 'STALLED'),
    ],
    [
      'STALLED ends without it',
      facts({ rounds: ['STALLED'], word: 'stop' }),
      ended('completed', 'STALLED', { keepsBest: false }),
    ],
    [
      'the last round asks',
      facts({ maxRounds: 1, rounds: ['FAIL_MAX_ITERATIONS'] }),
      { kind: 'ask', asked: 'max_iterations' },
    ],
    ['granted rounds are used', facts({ maxRounds: 2, rounds: ['FAIL_MAX_ITERATIONS'] }), { kind: 'write' }],
    [
      'the last round ends with the best',
      facts({ maxRounds: 1, rounds: ['FAIL_MAX_ITERATIONS'], word: 'take_best' }),
      ended('completed', 'FAIL_MAX_ITERATIONS'),
    ],
    [
      'the last round ends without it',
      facts({ maxRounds: 1, rounds: ['FAIL_MAX_ITERATIONS'], word: 'stop' }),
      ended('completed', 'FAIL_MAX_ITERATIONS', { keepsBest: false }),
    ],
    [
      'a used-up budget is an end of its own',
      facts({ rounds: ['ITERATE'], isExhausted: true }),
      ended('budget_exhausted', 'budget_exhausted', { because: 'budget' }),
    ],
  ])('%s', (_, known, decision) => {
    expect(decideRefine(known)).toEqual(decision)
  })
})

describe('within a round', () => {
  const reviews = (parts: Partial<CurrentRound['reviews']>) => ({
    security: 'done' as const,
    quality: 'done' as const,
    performance: 'done' as const,
    ...parts,
  })
  it.each<[what: string, CurrentRound, RefineWord | null, unknown]>([
    ['a writer that failed is asked about', round({ write: 'failed' }), null, { kind: 'ask', asked: 'writer' }],
    ['so is one that left nothing to review', round({ write: 'empty' }), null, { kind: 'ask', asked: 'writer' }],
    ['no writer, no run', round({ write: 'failed' }), 'stop', ended('failed', 'error', { because: 'writer' })],
    ['a due writer writes', round({ write: 'due' }), null, { kind: 'write' }],
    [
      'all reviewers are asked at once',
      round({ reviews: reviews({ security: 'due', quality: 'due', performance: 'due' }) }),
      null,
      { kind: 'review', dimensions: ['security', 'quality', 'performance'] },
    ],
    [
      'only those that are due are asked again',
      round({ reviews: reviews({ quality: 'due', performance: 'failed' }) }),
      null,
      { kind: 'review', dimensions: ['quality'] },
    ],
    [
      'one missing dimension keeps the round from being judged',
      round({ reviews: reviews({ performance: 'failed' }) }),
      null,
      { kind: 'ask', asked: 'reviewers' },
    ],
    [
      'and ends the run when nobody wants to try again',
      round({ reviews: reviews({ performance: 'failed' }) }),
      'stop',
      ended('failed', 'error', { because: 'reviewers' }),
    ],
    ['three reviews are judged', round(), null, { kind: 'judge' }],
    [
      'a verdict that failed is no verdict',
      round({ judge: 'failed' }),
      null,
      ended('failed', 'error', { because: 'judge' }),
    ],
  ])('%s', (_, current, word, decision) => {
    expect(decideRefine(facts({ current, word }))).toEqual(decision)
  })
})

describe('every course of a run', () => {
  const MAX = 3
  const OUTCOMES: readonly (readonly Dimension[])[] = [[], ['security'], ['quality', 'performance']]

  interface Course {
    facts: RefineFacts
    /** Times a person said to try again, or to go on, so far. */
    patience: number
    log: readonly string[]
  }

  /** All that could come next, given what the rule says to do. */
  function nexts({ facts: known, patience, log }: Course, decision: RefineDecision): Course[] {
    const go = (next: RefineFacts, what: string, spent = 0) => ({
      facts: next,
      patience: patience - spent,
      log: [...log, what],
    })
    if (decision.kind === 'write') {
      const exhausted = go({ ...known, isExhausted: true }, 'exhausted')
      return [
        exhausted,
        ...(['done', 'empty', 'failed'] as const).map((write) => go(noteWritten(known, write), `write ${write}`)),
      ]
    }
    if (decision.kind === 'review') {
      return OUTCOMES.map((failed) => {
        const outcomes = decision.dimensions.map((name) => [name, failed.includes(name) ? 'failed' : 'done'] as const)
        return go(noteReviews(known, Object.fromEntries(outcomes)), `review, failed: ${failed.join()}`)
      })
    }
    if (decision.kind === 'judge') {
      const isLast = known.rounds.length + 1 >= known.maxRounds
      const open: Recommendation[] = isLast ? ['FAIL_MAX_ITERATIONS'] : ['ITERATE', 'STALLED']
      return [...open, 'PASS' as const, null].map((each) => go(noteJudged(known, each), `judge ${each}`))
    }
    if (decision.kind === 'ask') {
      return REFINE_WORDS[decision.asked].flatMap((word) => {
        const asksOn = word !== 'stop' && word !== 'take_best'
        if (asksOn && patience === 0) return []
        return [go(noteWord(known, decision.asked, word), `say ${word}`, asksOn ? 1 : 0)]
      })
    }
    return []
  }

  it('comes to an end, never judges without three reviews, never passes without PASS, and always keeps what it may', () => {
    const ends = new Map<string, number>()
    const open: Course[] = [{ facts: openRefine(MAX), patience: 2, log: [] }]
    let steps = 0
    for (let course = open.pop(); course !== undefined; course = open.pop()) {
      steps += 1
      expect(course.log.length, course.log.join('; ')).toBeLessThan(60)
      const decision = decideRefine(course.facts)
      if (decision.kind === 'judge') {
        expect(Object.values(course.facts.current?.reviews ?? {})).toEqual(['done', 'done', 'done'])
      }
      if (decision.kind === 'write') expect(course.facts.rounds.length).toBeLessThan(course.facts.maxRounds)
      if (decision.kind === 'end') {
        const { verdict, keepsBest, status } = decision.end
        expect(verdict === 'PASS').toBe(course.facts.rounds.at(-1) === 'PASS' && !course.facts.isExhausted)
        expect(keepsBest).toBe(course.log.at(-1) !== 'say stop' || status !== 'completed')
        ends.set(verdict, (ends.get(verdict) ?? 0) + 1)
      }
      open.push(...nexts(course, decision))
    }
    expect([...ends.keys()].sort()).toEqual(['FAIL_MAX_ITERATIONS', 'PASS', 'STALLED', 'budget_exhausted', 'error'])
    expect(steps).toBeGreaterThan(6_000)
  })

  it('a question never comes twice for one word', () => {
    for (const [asked, words] of Object.entries(REFINE_WORDS)) {
      for (const word of words) {
        const known = {
          writer: facts({ current: round({ write: 'failed' }) }),
          reviewers: facts({
            current: round({ reviews: { security: 'failed', quality: 'done', performance: 'done' } }),
          }),
          stalled: facts({ rounds: ['STALLED'] }),
          max_iterations: facts({ maxRounds: 1, rounds: ['FAIL_MAX_ITERATIONS'] }),
        }[asked as 'writer']
        expect(decideRefine(known)).toEqual({ kind: 'ask', asked })
        expect(decideRefine(noteWord(known, asked as 'writer', word)).kind).not.toBe('ask')
      }
    }
  })
})
