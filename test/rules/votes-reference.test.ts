import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Vote, VoteInput, VoteResult } from '../../src/contracts/votes.js'
import { tallyVotes } from '../../src/rules/votes.js'
import { referenceVote } from '../support/votes-reference.js'

const NAMES = ['A', 'B', 'C', 'D', '候选']

const someVote = fc.record({
  eliminated: fc.option(fc.constantFrom(...NAMES), { freq: 6 }),
  confidence: fc.constantFrom('High', 'Medium', 'Low'),
  quick_assessments: fc.dictionary(fc.constantFrom(...NAMES), fc.integer({ min: 1, max: 10 }), { maxKeys: 3 }),
})

/** Whole hundredths, so that the reference can count without fractions. */
const someWeight = fc.integer({ min: 0, max: 300 }).map((hundredths) => hundredths / 100)

const someInput: fc.Arbitrary<VoteInput> = fc
  .record({
    votes: fc.array(someVote, { minLength: 1, maxLength: 12 }),
    elimination_threshold: fc.integer({ min: 1, max: 6 }),
    confidence_weights: fc.oneof(
      fc.constant({ High: 1.5, Medium: 1, Low: 0.5 }),
      fc.record({ High: someWeight, Medium: someWeight, Low: someWeight }),
    ),
    require_unanimous: fc.boolean(),
    candidates: fc.option(fc.shuffledSubarray(NAMES, { minLength: NAMES.length })),
  })
  .map(({ votes, ...rest }) => ({ ...rest, votes: votes.map((vote, at) => voteOf(`e${at}`, vote)) }))

type Drawn = Pick<Vote['elimination_decision'], 'eliminated' | 'confidence'> & Pick<Vote, 'quick_assessments'>

function voteOf(evaluator_id: string, { eliminated, confidence, quick_assessments }: Drawn): Vote {
  const elimination_decision = { eliminated, confidence, reason: `because ${evaluator_id}` }
  return { evaluator_id, elimination_decision, quick_assessments }
}

describe('tallyVotes', () => {
  it('comes to the same as the reference on 10,000 random ballots', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const { aggregated_result, vote_distribution, consensus_analysis, threshold_reached } = tallyVotes(input)
        const counts = Object.values(vote_distribution)
        const reference = referenceVote(input)
        const result = {
          known: Object.keys(vote_distribution),
          eliminated: aggregated_result.eliminated_candidates,
          survivors: aggregated_result.survivors,
          raw: counts.map((count) => count.raw_votes),
          hundredths: counts.map((count) => BigInt(Math.round(count.weighted_votes * 100))),
          level: consensus_analysis.consensus_level,
          conflicts: consensus_analysis.conflicts
            .map((each) => `${each.candidate}: ${[...each.conflicting_evaluators].sort().join(' ')}`)
            .sort(),
        }
        // The quick look first: `toEqual` is for whoever has to mend it.
        if (!isDeepStrictEqual(result, reference)) expect(result).toEqual(reference)
        expect(threshold_reached).toBe(reference.eliminated.length > 0)
      }),
      { numRuns: 10_000 },
    )
  })

  it('divides the candidates into survivors and eliminated', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const { aggregated_result, vote_distribution } = tallyVotes(input)
        const both = [...aggregated_result.eliminated_candidates, ...aggregated_result.survivors]
        expect(both.sort()).toEqual(Object.keys(vote_distribution).sort())
      }),
    )
  })

  it('does not care for the order of the votes, but that lists follow it', () => {
    const shuffled = someInput.chain((input) =>
      fc.tuple(fc.constant(input), fc.shuffledSubarray(input.votes, { minLength: input.votes.length })),
    )
    fc.assert(
      fc.property(shuffled, ([input, votes]) => {
        expect(unordered(tallyVotes({ ...input, votes }))).toEqual(unordered(tallyVotes(input)))
      }),
    )
  })

  it('never saves a candidate by one more vote against it', () => {
    fc.assert(
      fc.property(someInput, fc.constantFrom('High', 'Medium', 'Low'), (input, confidence) => {
        for (const eliminated of tallyVotes(input).aggregated_result.eliminated_candidates) {
          const more = voteOf('one more', { eliminated, confidence, quick_assessments: {} })
          const after = tallyVotes({ ...input, votes: [...input.votes, more] })
          expect(after.aggregated_result.eliminated_candidates).toContain(eliminated)
        }
      }),
    )
  })

  it('comes to the same when weights and threshold are scaled alike', () => {
    fc.assert(
      fc.property(someInput, fc.integer({ min: 2, max: 1000 }), (input, factor) => {
        const { High, Medium, Low } = input.confidence_weights
        const scaled = tallyVotes({
          ...input,
          elimination_threshold: input.elimination_threshold * factor,
          confidence_weights: { High: High * factor, Medium: Medium * factor, Low: Low * factor },
        })
        const plain = tallyVotes(input)
        expect(scaled.aggregated_result).toEqual(plain.aggregated_result)
        expect(conflicting(scaled)).toEqual(conflicting(plain))
        expect(scaled.consensus_analysis.consensus_level).toBe(plain.consensus_analysis.consensus_level)
      }),
    )
  })
})

describe.each<[what: string, candidateOf: (at: number) => string]>([
  ['few candidates', (at) => `C${at % 20}`],
  ['a candidate per vote, all tied', (at) => `C${at}`],
])('%s', (_, candidateOf) => {
  it('reads each vote as often among 20,000 as among 2,000', () => {
    expect(readsOf(manyVotes(20_000, candidateOf)) / readsOf(manyVotes(2000, candidateOf))).toBeCloseTo(10, 2)
  })

  // The square would be ten thousand million steps. Processor time: the machine may be busy with other things.
  it('takes no more than 10 seconds for 100,000 votes', () => {
    const { votes, ...rest } = manyVotes(100_000, candidateOf)
    const before = process.cpuUsage()
    tallyVotes({ ...rest, votes })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(10)
  })
})

function manyVotes(count: number, candidateOf: (at: number) => string): VoteInput {
  const votes = Array.from({ length: count }, (_, at) =>
    voteOf(`e${at}`, {
      eliminated: candidateOf(at),
      confidence: 'Medium',
      quick_assessments: { [candidateOf(at + 1)]: 9, [candidateOf(at + 2)]: 3 },
    }),
  )
  const confidence_weights = { High: 1.5, Medium: 1, Low: 0.5 }
  return { votes, elimination_threshold: 1, confidence_weights, require_unanimous: false, candidates: null }
}

/** How many fields of votes are read. */
function readsOf(input: VoteInput): number {
  let reads = 0
  const votes = input.votes.map((vote) => ({
    get evaluator_id() {
      reads += 1
      return vote.evaluator_id
    },
    get elimination_decision() {
      reads += 1
      return vote.elimination_decision
    },
    get quick_assessments() {
      reads += 1
      return vote.quick_assessments
    },
  }))
  tallyVotes({ ...input, votes })
  return reads
}

function conflicting({ consensus_analysis }: VoteResult): string[] {
  return consensus_analysis.conflicts.map((each) => `${each.candidate}: ${each.conflicting_evaluators.join(' ')}`)
}

/** The result without the order of its lists; weights to the last digit. */
function unordered(result: VoteResult): unknown {
  const { aggregated_result, vote_distribution, consensus_analysis, reasoning_summary, threshold_reached } = result
  const sorted = (lists: [string, string[]][]) => lists.map(([name, list]) => [name, [...list].sort()]).sort()
  return {
    threshold_reached,
    level: [consensus_analysis.consensus_level, consensus_analysis.agreement_ratio],
    out: [...aggregated_result.eliminated_candidates].sort(),
    survivors: [...aggregated_result.survivors].sort(),
    counts: Object.fromEntries(
      Object.entries(vote_distribution).map(([name, { raw_votes, weighted_votes }]) => [
        name,
        raw_votes,
        weighted_votes,
      ]),
    ),
    voters: sorted(Object.entries(vote_distribution).map(([name, { voters }]) => [name, voters])),
    reasons: sorted(Object.entries(reasoning_summary)),
    conflicts: sorted(consensus_analysis.conflicts.map((each) => [each.candidate, each.conflicting_evaluators])),
  }
}
