import { describe, expect, it } from 'vitest'
import { tallyVotes } from '../../src/rules/votes.js'
import { ballots, type Said, votesAgainst } from '../support/votes-ballots.js'

const conflictsOf = (votes: Said[], rest?: Record<string, unknown>) =>
  tallyVotes(ballots(votes, rest)).consensus_analysis.conflicts

describe('a split between candidates', () => {
  it.each<[what: string, votes: Said[], rest: Record<string, unknown>, split: string[]]>([
    ['one vote each', [{ against: 'A' }, { against: 'B' }], {}, ['A', 'B']],
    ['two votes against one', [...votesAgainst('A', 2), { against: 'B' }], {}, []],
    [
      'as many votes, of other weight',
      [{ against: 'A', sure: 'High' }, { against: 'B', sure: 'Low' }, { against: 'C' }],
      {},
      ['A', 'B', 'C'],
    ],
    [
      'more votes against one, more weight against the other',
      [...votesAgainst('A', 3, 'Low'), ...votesAgainst('B', 2, 'High')],
      { elimination_threshold: 9 },
      ['A', 'B'],
    ],
    [
      'the same weight of fewer votes',
      [{ against: 'A', sure: 'High' }, { against: 'B' }, { against: 'B', sure: 'Low' }],
      {},
      ['A', 'B'],
    ],
    [
      'several over the threshold',
      [...votesAgainst('A', 3), ...votesAgainst('B', 2), { against: 'C' }],
      {},
      ['A', 'B'],
    ],
    ['nobody voted against', votesAgainst(null, 3), { candidates: ['A', 'B'] }, []],
    ['no vote has weight', [...votesAgainst('A', 2), { against: 'B' }], { confidence_weights: { Medium: 0 } }, []],
    ['the only one known', votesAgainst('A', 2), {}, []],
  ])('%s', (_, votes, rest, split) => {
    expect(conflictsOf(votes, rest).map((each) => each.candidate)).toEqual(split)
  })

  it('names each with its voters and says how they stand', () => {
    expect(
      conflictsOf([
        { by: 'anna', against: 'A', sure: 'High' },
        { by: 'ben', against: 'B' },
      ]),
    ).toEqual(
      [
        ['A', 'anna'],
        ['B', 'ben'],
      ].map(([candidate, voter]) => ({
        candidate,
        conflicting_evaluators: [voter],
        description:
          'split: no candidate leads alone by votes and by weight: "A" (1 vote, weight 1.5), "B" (1 vote, weight 1)',
      })),
    )
  })

  it('says aloud when nobody would be left', () => {
    const [first] = conflictsOf([...votesAgainst('A', 3), ...votesAgainst('B', 2)])
    expect(first?.description).toBe(
      'tie: all 2 candidates reach the threshold of 2 and nobody would be left: "A" (3 votes, weight 3), "B" (2 votes, weight 2)',
    )
  })

  it('names who leads but stays apart from those who go together', () => {
    const votes = [...votesAgainst('A', 2), ...votesAgainst('B', 2), ...votesAgainst('C', 3, 'Low')]
    expect(conflictsOf(votes).map(({ candidate, description }) => [candidate, description.split(':')[0]])).toEqual([
      ['A', 'tie'],
      ['B', 'tie'],
      ['C', 'split'],
    ])
  })

  it('lists five and counts the rest', () => {
    const conflicts = conflictsOf(Array.from({ length: 7 }, (_, at) => ({ against: `C${at}` })))
    expect(conflicts).toHaveLength(7)
    expect(conflicts[6]?.description).toMatch(/"C4" \(1 vote, weight 1\) and 2 more$/)
  })
})

describe('a candidate voted out by some and praised by others', () => {
  it.each<[what: string, thinks: Record<string, unknown>, isConflict: boolean]>([
    ['8 of 10 is high', { A: 8 }, true],
    ['7 of 10 alone is not', { A: 7 }, false],
    ['best of all, however low', { A: 4, B: 3 }, true],
    ['best together with another', { A: 4, B: 4, C: 3 }, true],
    ['all the same: none is best', { A: 4, B: 4 }, false],
    ['second best', { A: 4, B: 5 }, false],
    ['high, and another is best', { A: 8, B: 9 }, true],
    ['8 on a larger scale is not high', { A: 8, B: 60 }, false],
    ['best on a larger scale', { A: 80, B: 60 }, true],
    ['a score in an object', { A: { score: 9, summary: 'fine' } }, true],
    ['a low score in an object', { A: { score: 2 } }, false],
    ['the word high', { A: 'High' }, true],
    ['the word best as a rating', { A: { rating: 'best' } }, true],
    ['another word', { A: 'highly doubtful' }, false],
    ['a list is no grade', { A: ['high'] }, false],
    ['a score that is none', { A: { score: ['best'] } }, false],
    ['no grade at all', { A: { summary: 'high' } }, false],
    ['nothing', { A: null }, false],
  ])('%s', (_, thinks, isConflict) => {
    const votes: Said[] = [
      { by: 'anna', against: 'A' },
      { by: 'ben', against: 'A' },
      { by: 'cara', thinks },
    ]
    expect(conflictsOf(votes)).toEqual(
      isConflict
        ? [
            {
              candidate: 'A',
              conflicting_evaluators: ['anna', 'ben', 'cara'],
              description: 'contested: voted out by "anna", "ben", rated best or high by "cara"',
            },
          ]
        : [],
    )
  })

  it('is none when its only admirer votes against it as well', () => {
    expect(conflictsOf([{ against: 'A', thinks: { A: 9 } }, { against: 'A' }])).toEqual([])
  })

  it('is none when nobody votes against it', () => {
    expect(conflictsOf([{ against: 'B', thinks: { A: 9 } }, { against: 'B' }])).toEqual([])
  })
})
