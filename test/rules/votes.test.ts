import { describe, expect, it } from 'vitest'
import { VoteResult } from '../../src/contracts/votes.js'
import { isDecided, tallyVotes } from '../../src/rules/votes.js'
import { ballots, type Said, votesAgainst } from '../support/votes-ballots.js'

const eliminatedBy = (votes: Said[], rest?: Record<string, unknown>) =>
  tallyVotes(ballots(votes, rest)).aggregated_result.eliminated_candidates

describe('weights against the threshold', () => {
  it.each<[what: string, votes: Said[], rest: Record<string, unknown>, eliminated: string[]]>([
    ['one High and one Low reach 2', [...votesAgainst('A', 1, 'High'), ...votesAgainst('A', 1, 'Low')], {}, ['A']],
    ['three Low miss 2', votesAgainst('A', 3, 'Low'), {}, []],
    ['four Low reach 2', votesAgainst('A', 4, 'Low'), {}, ['A']],
    ['one High misses 2', votesAgainst('A', 1, 'High'), {}, []],
    ['a single Medium reaches 1', votesAgainst('A', 1), { elimination_threshold: 1 }, ['A']],
    [
      'three High outweigh four Low',
      [...votesAgainst('A', 3, 'High'), ...votesAgainst('B', 4, 'Low')],
      { elimination_threshold: 3 },
      ['A'],
    ],
    [
      'ten tenths are 1',
      votesAgainst('A', 10, 'Low'),
      { confidence_weights: { Low: 0.1 }, elimination_threshold: 1 },
      ['A'],
    ],
    ['a miss by less than 1e-9 is none', votesAgainst('A', 2), { confidence_weights: { Medium: 1 - 4e-10 } }, ['A']],
    ['a miss by more than 1e-9 is one', votesAgainst('A', 2), { confidence_weights: { Medium: 1 - 6e-10 } }, []],
    ['votes of weight 0 never eliminate', votesAgainst('A', 9), { confidence_weights: { Medium: 0 } }, []],
    ['partial weights keep the other defaults', votesAgainst('A', 1, 'High'), { confidence_weights: { Low: 9 } }, []],
    ['several may go at once', [...votesAgainst('A', 3), ...votesAgainst('B', 2), { against: 'C' }], {}, ['A', 'B']],
  ])('%s', (_, votes, rest, eliminated) => {
    expect(eliminatedBy(votes, rest)).toEqual(eliminated)
  })

  it('reports votes as they were cast and as they weigh, with their voters, for every candidate', () => {
    const { vote_distribution } = tallyVotes(
      ballots([{ against: 'A', sure: 'High' }, { against: 'A', sure: 'Low' }, {}], { candidates: ['A', 'B'] }),
    )
    expect(vote_distribution).toEqual({
      A: { raw_votes: 2, weighted_votes: 2, voters: ['e0', 'e1'] },
      B: { raw_votes: 0, weighted_votes: 0, voters: [] },
    })
  })
})

describe('unanimity', () => {
  it.each<[what: string, votes: Said[], eliminated: string[]]>([
    ['every vote names it', votesAgainst('A', 3), ['A']],
    ['one names another', [...votesAgainst('A', 3), { against: 'B' }], []],
    ['one abstains', [...votesAgainst('A', 3), {}], []],
    ['every vote names it but they weigh too little', votesAgainst('A', 3, 'Low'), []],
  ])('where it is required: %s', (_, votes, eliminated) => {
    const result = tallyVotes(ballots(votes, { require_unanimous: true }))
    expect(result.aggregated_result.eliminated_candidates).toEqual(eliminated)
    expect(result.threshold_reached).toBe(eliminated.length > 0)
  })
})

describe('consensus', () => {
  it.each<[against: number, votes: number, level: string]>([
    [1, 1, 'unanimous'],
    [100, 100, 'unanimous'],
    [99, 100, 'strong'],
    [80, 100, 'strong'],
    [4, 5, 'strong'],
    [79, 100, 'moderate'],
    [60, 100, 'moderate'],
    [3, 5, 'moderate'],
    [59, 100, 'weak'],
    [40, 100, 'weak'],
    [2, 5, 'weak'],
    [39, 100, 'split'],
    [1, 100, 'split'],
    [0, 100, 'split'],
  ])('%i of %i votes is %3$s, whatever the confidence', (against, votes, level) => {
    const { consensus_analysis } = tallyVotes(
      ballots([...votesAgainst('A', against, 'Low'), ...votesAgainst(null, votes - against, 'High')]),
    )
    expect(consensus_analysis).toMatchObject({ consensus_level: level, agreement_ratio: against / votes })
  })
})

describe('candidates', () => {
  it('are known from votes and assessments in the order they are first seen, and survive or not in it', () => {
    const votes: Said[] = [
      { against: 'C', thinks: { B: 5, C: 2, '': 1 } },
      { thinks: { A: 5, B: 4 } },
      { against: 'C', thinks: { D: 1 } },
    ]
    const { aggregated_result, vote_distribution } = tallyVotes(ballots(votes))
    expect(aggregated_result).toEqual({ eliminated_candidates: ['C'], survivors: ['B', 'A', 'D'] })
    expect(Object.keys(vote_distribution)).toEqual(['C', 'B', 'A', 'D'])
  })

  it('are those given, in their order, where they are given', () => {
    const votes = [{ against: 'C', thinks: { Z: 5, A: 1 } }, { against: 'C' }]
    expect(tallyVotes(ballots(votes, { candidates: ['C', 'B', 'A'] })).aggregated_result).toEqual({
      eliminated_candidates: ['C'],
      survivors: ['B', 'A'],
    })
  })

  it.each(['__proto__', 'constructor', 'toString', '候选甲'])('may be called %s', (name) => {
    const thinks = JSON.parse(`{${JSON.stringify(name)}: 3}`) as Record<string, unknown>
    const result = tallyVotes(
      ballots([
        { against: name, why: 'slow' },
        { against: 'B', thinks },
      ]),
    )
    const written = JSON.parse(JSON.stringify(result)) as typeof result
    expect(Object.entries(written.vote_distribution)[0]).toEqual([
      name,
      { raw_votes: 1, weighted_votes: 1, voters: ['e0'] },
    ])
    expect(Object.entries(written.reasoning_summary)[0]).toEqual([name, ['e0: slow']])
    const assessed = tallyVotes(ballots([{ against: 'B', thinks }]))
    expect(assessed.aggregated_result.survivors).toEqual(['B', name])
  })
})

describe('reasons', () => {
  it('stand beside their voters, in order, for every candidate with a vote', () => {
    const votes: Said[] = [
      { by: 'anna', against: 'A', why: 'slow' },
      { by: 'ben', against: 'B', why: 'unsafe' },
      { by: 'cara', against: 'A' },
      { by: 'dan', why: 'all are good' },
    ]
    expect(tallyVotes(ballots(votes, { candidates: ['A', 'B', 'C'] })).reasoning_summary).toEqual({
      A: ['anna: slow', 'cara: gave no reason'],
      B: ['ben: unsafe'],
    })
  })
})

describe('isDecided', () => {
  it.each<[what: string, votes: Said[], rest: Record<string, unknown>, decided: boolean]>([
    ['somebody goes and somebody stays', votesAgainst('A', 2), { candidates: ['A', 'B'] }, true],
    ['nobody goes', votesAgainst('A', 1), { candidates: ['A', 'B'] }, false],
    ['everybody abstains', votesAgainst(null, 3), {}, false],
    ['everybody goes', [...votesAgainst('A', 2), ...votesAgainst('B', 2)], {}, false],
    ['everybody goes, one with more votes', [...votesAgainst('A', 3), ...votesAgainst('B', 2)], {}, false],
    ['two go and a third stays', [...votesAgainst('A', 2), ...votesAgainst('B', 2), { against: 'C' }], {}, true],
    ['the only one anybody named goes', votesAgainst('A', 2), {}, true],
  ])('%s: %4$s', (_, votes, rest, decided) => {
    const result = tallyVotes(ballots(votes, rest))
    expect(isDecided(result)).toBe(decided)
    expect(VoteResult.parse(result)).toEqual(result)
  })
})
