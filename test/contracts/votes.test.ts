import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parseContract, parseJson } from '../../src/contracts/parse.js'
import { VoteInput, VoteResult } from '../../src/contracts/votes.js'
import { tallyVotes } from '../../src/rules/votes.js'

const vote = (by: unknown, decision: unknown, rest = {}) => ({
  evaluator_id: by,
  elimination_decision: decision,
  ...rest,
})
const [anna, ben] = [vote('anna', { eliminated: 'A' }), vote('ben', { eliminated: 'B' })]

describe('what is refused, in one line that names the field, what was expected and what came', () => {
  it.each<[what: string, change: Record<string, unknown>, line: string]>([
    ['no votes field', { votes: undefined }, 'votes: expected a list of votes, got nothing'],
    ['no vote', { votes: [] }, 'votes: expected at least one vote, got []'],
    ['votes that are no list', { votes: 'A' }, 'votes: expected a list of votes, got "A"'],
    [
      'a vote that is none',
      { votes: [anna, 7] },
      'votes.1: expected a vote with evaluator_id and elimination_decision, got 7',
    ],
    ['a vote of nobody', { votes: [vote(undefined, {})] }, 'votes.0.evaluator_id: expected text, got nothing'],
    ['a blank evaluator', { votes: [vote(' ', {})] }, 'votes.0.evaluator_id: expected a name, got " "'],
    [
      'a vote without a decision',
      { votes: [{ evaluator_id: 'anna' }] },
      'votes.0.elimination_decision: expected an object with eliminated, reason and confidence, got nothing',
    ],
    [
      'a candidate that is no text',
      { votes: [vote('anna', { eliminated: 3 })] },
      'votes.0.elimination_decision.eliminated: expected text, got 3',
    ],
    [
      'an unknown confidence',
      { votes: [vote('anna', { eliminated: 'A', confidence: 'Very High' })] },
      'votes.0.elimination_decision.confidence: expected High, Medium or Low, got "Very High"',
    ],
    [
      'a confidence in small letters',
      { votes: [vote('anna', { eliminated: 'A', confidence: 'high' })] },
      'votes.0.elimination_decision.confidence: expected High, Medium or Low, got "high"',
    ],
    [
      'assessments that are a list',
      { votes: [vote('anna', {}, { quick_assessments: [] })] },
      'votes.0.quick_assessments: expected an object, got []',
    ],
    [
      'an evaluator twice',
      { votes: [anna, ben, vote('anna', {})] },
      'votes.2.evaluator_id: expected each evaluator to vote once, but votes.0 is theirs too, got "anna"',
    ],
    [
      'a vote for somebody who does not stand',
      { votes: [anna, vote('ben', { eliminated: 'Z' })], candidates: ['A', 'B'] },
      'votes.1.elimination_decision.eliminated: expected one of the candidates "A", "B", got "Z"',
    ],
    ['one candidate', { candidates: ['A'] }, 'candidates: expected at least two candidates, got ["A"]'],
    [
      'a candidate twice',
      { candidates: ['A', 'B', 'A'] },
      'candidates.2: expected each candidate once, but candidates.0 is the same, got "A"',
    ],
    ['a candidate without a name', { candidates: ['A', ''] }, 'candidates.1: expected a name, got ""'],
    [
      'no threshold',
      { elimination_threshold: undefined },
      'elimination_threshold: expected a whole number from 1, got nothing',
    ],
    ...[0, -1, 1.5, '2', null, 1e300].map((came): [string, Record<string, unknown>, string] => [
      `threshold ${JSON.stringify(came)}`,
      { elimination_threshold: came },
      `elimination_threshold: expected a whole number from 1, got ${JSON.stringify(came)}`,
    ]),
    ...[-1, -0.001, NaN, Infinity, -Infinity, 1.1e12, '1', null].map(
      (came): [string, Record<string, unknown>, string] => [
        `weight ${String(came)}`,
        { confidence_weights: { High: came } },
        `confidence_weights.High: expected a number from 0 to 1e12, got ${typeof came === 'string' ? '"1"' : String(came)}`,
      ],
    ),
    [
      'a weight for a confidence there is not',
      { confidence_weights: { high: 2 } },
      'confidence_weights.high: expected no other fields than High, Medium, Low, got 2',
    ],
    [
      'weights that are a list',
      { confidence_weights: [1, 2, 3] },
      'confidence_weights: expected an object with weights for High, Medium and Low, got [1,2,3]',
    ],
    ['unanimity by a word', { require_unanimous: 'yes' }, 'require_unanimous: expected true or false, got "yes"'],
    [
      'a misspelt setting',
      { require_unanimos: true },
      'require_unanimos: expected no other fields than votes, elimination_threshold, confidence_weights, require_unanimous, candidates, got true',
    ],
  ])('%s', (_, change, line) => {
    const input = { votes: [anna, ben], elimination_threshold: 2, ...change }
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))
    expect(() => parseContract(VoteInput, given, 'votes.json')).toThrow(
      expect.objectContaining({ type: 'Contract.Violated', message: `votes.json: ${line}` }),
    )
  })

  it('a document that is no object', () => {
    const line = 'votes.json: (document): expected an object with votes and elimination_threshold, got [1]'
    expect(() => parseContract(VoteInput, [1], 'votes.json')).toThrow(line)
  })

  it('a number too large for a reader of JSON, which is infinite', () => {
    const text = JSON.stringify({ votes: [anna], elimination_threshold: 1, confidence_weights: { Low: 0 } })
    const line = 'votes.json: confidence_weights.Low: expected a number from 0 to 1e12, got Infinity'
    expect(() => parseJson(VoteInput, text.replace('"Low":0', '"Low":1e999'), 'votes.json')).toThrow(line)
  })
})

describe('what is left out', () => {
  it('has the seed’s defaults', () => {
    expect(VoteInput.parse({ votes: [vote('anna', {})], elimination_threshold: 1 })).toEqual({
      votes: [
        {
          evaluator_id: 'anna',
          elimination_decision: { eliminated: null, reason: null, confidence: 'Medium' },
          quick_assessments: {},
        },
      ],
      elimination_threshold: 1,
      confidence_weights: { High: 1.5, Medium: 1, Low: 0.5 },
      require_unanimous: false,
      candidates: null,
    })
  })

  it.each([
    [{}, { High: 1.5, Medium: 1, Low: 0.5 }],
    [{ Low: 0 }, { High: 1.5, Medium: 1, Low: 0 }],
    [
      { High: 3, Medium: 2 },
      { High: 3, Medium: 2, Low: 0.5 },
    ],
    [{ High: 1e12 }, { High: 1e12, Medium: 1, Low: 0.5 }],
  ])('weights %j become %j', (confidence_weights, whole) => {
    const input = { votes: [anna], elimination_threshold: 1, confidence_weights }
    expect(VoteInput.parse(input).confidence_weights).toEqual(whole)
  })

  it.each([[{}], [{ eliminated: '' }], [{ eliminated: '  ' }], [{ eliminated: null, reason: null, confidence: null }]])(
    'the decision %j is an abstention of medium confidence',
    (decision) => {
      const { votes } = VoteInput.parse({ votes: [vote('anna', decision)], elimination_threshold: 1 })
      expect(votes[0]?.elimination_decision).toEqual({ eliminated: null, reason: null, confidence: 'Medium' })
    },
  )

  it('a candidate keeps its name to the letter', () => {
    const { votes } = VoteInput.parse({ votes: [vote('anna', { eliminated: ' A ' })], elimination_threshold: 1 })
    expect(votes[0]?.elimination_decision.eliminated).toBe(' A ')
  })
})

describe('a result', () => {
  it('has the fields of the seed’s output contract, all of them and no others', () => {
    const input = VoteInput.parse({
      votes: [vote('anna', { eliminated: 'A' }, { metadata: { ms: 3 }, quick_assessments: { B: { score: 9 } } }), ben],
      elimination_threshold: 2,
    })
    const result = tallyVotes(input)
    const fits = new Ajv({ strict: true }).compile(outputContract)
    expect([fits(result), fits.errors]).toEqual([true, null])
    expect(VoteResult.parse(result)).toEqual(result)
    expect(result.consensus_analysis.conflicts.length).toBeGreaterThan(0)
  })
})

const names = { type: 'array', items: { type: 'string' } }

/** Seed 003's output contract, closed: its fields, types and the enumeration. */
const outputContract = closed({
  aggregated_result: closed({ eliminated_candidates: names, survivors: names }),
  threshold_reached: { type: 'boolean' },
  vote_distribution: {
    type: 'object',
    additionalProperties: closed({ raw_votes: { type: 'integer' }, weighted_votes: { type: 'number' }, voters: names }),
  },
  consensus_analysis: closed({
    consensus_level: { type: 'string', enum: ['unanimous', 'strong', 'moderate', 'weak', 'split'] },
    agreement_ratio: { type: 'number', minimum: 0, maximum: 1 },
    conflicts: {
      type: 'array',
      items: closed({
        candidate: { type: 'string' },
        conflicting_evaluators: { type: 'array' },
        description: { type: 'string' },
      }),
    },
  }),
  reasoning_summary: { type: 'object', additionalProperties: names },
})

function closed(properties: Record<string, object>) {
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties }
}
