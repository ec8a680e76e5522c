import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { viewFor } from '../../../src/rules/eval/blinding.js'
import { type Ballot, ballotOf, concludeScreening, reconcile, type Seat } from '../../../src/rules/eval/screening.js'
import { hasQuorum, nextSpare, quorumOf } from '../../../src/rules/eval/seats.js'

const NAMES = ['a', 'b', 'c', 'd']
const against = (eliminated: number | null, confidence: Ballot['confidence'] = 'Medium'): Ballot => ({
  scores: [5, 5, 5, 5],
  eliminated,
  reason: 'so',
  confidence,
})
const jury = (...votes: (number | null | 'lost')[]): Seat[] =>
  votes.map((vote, at) => ({ judge: `j${at}`, ballot: vote === 'lost' ? null : against(vote) }))

describe('round 1', () => {
  it.each<[what: string, seats: Seat[], threshold: number, end: string, out: number[]]>([
    ['two of three agree', jury(0, 0, 1), 2, 'decided', [0]],
    ['exactly 60 % agree', jury(0, 0, 0, 1, 2), 2, 'decided', [0]],
    ['just below 60 % agree', jury(0, 0, 0, 0, 1, 2, 3), 2, 'weak', [0]],
    ['two thresholds are reached, and somebody is left', jury(0, 0, 1, 1), 2, 'weak', [0, 1]],
    ['nobody reaches the threshold', jury(0, 1, 2), 2, 'undecided', []],
    ['all abstain', jury(null, null), 1, 'undecided', []],
    ['everyone would go', jury(0, 1, 2, 3), 1, 'everyone', []],
    ['just a quorum answers', jury(0, 0, 'lost'), 2, 'decided', [0]],
    ['half of the jury is lost', jury(0, 0, 'lost', 'lost'), 2, 'no_quorum', []],
    ['the whole jury is lost', jury('lost'), 1, 'no_quorum', []],
  ])('%s', (_, seats, threshold, end, out) => {
    const result = concludeScreening(seats, NAMES, threshold)
    expect([result.end, result.eliminated]).toEqual([end, out])
  })

  it('counts a lost judge among the votes: two of two that answered are two thirds of three', () => {
    const { result } = concludeScreening(jury(0, 0, 'lost'), NAMES, 2)
    expect(result.consensus_analysis.agreement_ratio).toBeCloseTo(2 / 3)
    expect(result.consensus_analysis.consensus_level).toBe('moderate')
  })

  it('never eliminates everyone', () => {
    const votes = fc.array(fc.constantFrom(0, 1, 2, 3, null, 'lost' as const), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(votes, fc.integer({ min: 1, max: 3 }), (seats, threshold) => {
        expect(concludeScreening(jury(...seats), NAMES, threshold).eliminated.length).toBeLessThan(NAMES.length)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('two askings of one judge', () => {
  it('are one ballot: the mean scores, the vote both times given, the lower confidence', () => {
    const first = { ...against(2, 'High'), scores: [9, 1, 5, null] }
    const second = { ...against(2, 'Low'), scores: [7, 3, null, null] }
    expect(reconcile(first, second, NAMES)).toEqual({
      scores: [8, 2, 5, null],
      eliminated: 2,
      reason: 'so',
      confidence: 'Low',
    })
  })

  it('become an abstention when they contradict each other, and say so', () => {
    expect(reconcile(against(0), against(1), NAMES)).toMatchObject({
      eliminated: null,
      confidence: 'Low',
      reason: 'contradicts itself: against "a", with the order turned against "b"; first reason: so',
    })
    expect(reconcile(against(null), against(1), NAMES).eliminated).toBeNull()
  })

  it('the first alone stands when there was no second', () => {
    expect(reconcile(against(1), null, NAMES)).toEqual(against(1))
  })
})

it('a ballot takes the labels off: whatever the view, the scores come back to their candidates', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), fc.boolean(), fc.nat(3), (seed, isBlind, out) => {
      const shown = [0, 1, 3]
      const view = viewFor({
        seed,
        judge: 'j',
        purpose: 'screening',
        isTurned: false,
        shown,
        names: NAMES,
        isBlind,
        isShuffled: true,
      })
      const scores = Object.fromEntries(view.order.map((candidate, at) => [view.labels[at] ?? '', candidate + 1]))
      const label = view.labels[view.order.indexOf(out)] ?? null
      const ballot = ballotOf({ scores, eliminated: label, reason: 'r', confidence: 'High' }, view, NAMES.length)
      expect(ballot.scores).toEqual([1, 2, null, 4])
      expect(ballot.eliminated).toBe(shown.includes(out) ? out : null)
    }),
  )
})

describe('quorum and spares', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [7, 4],
    [25, 13],
  ])('of %d seats more than half is %d', (seats, quorum) => {
    expect(quorumOf(seats)).toBe(quorum)
    expect([hasQuorum(quorum, seats), hasQuorum(quorum - 1, seats)]).toEqual([true, false])
  })

  it('a spare is called once, in order', () => {
    const spares = [{ name: 'x' }, { name: 'y' }]
    expect([nextSpare(spares, []), nextSpare(spares, ['x']), nextSpare(spares, ['x', 'y'])]).toEqual(['x', 'y', null])
  })
})
