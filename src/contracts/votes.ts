import { z } from 'zod'
import { CONSENSUS_LEVELS } from '../rules/votes-consensus.js'
import { voteFaults } from '../rules/votes-faults.js'
import { DEFAULT_WEIGHTS } from '../rules/votes-tally.js'

/** How sure an evaluator is: each has its weight. */
export const Confidence = z.enum(['High', 'Medium', 'Low'], { error: 'expected High, Medium or Low' })
export type Confidence = z.infer<typeof Confidence>

const Text = z.string({ error: 'expected text' })
const Name = Text.refine((name) => name.trim() !== '', { error: 'expected a name' })

/** Not sent, null and blank are the same: nothing was said. */
const OptionalText = Text.nullish().transform((text) => (text === undefined || text?.trim() === '' ? null : text))

/** One evaluator's vote. Other fields, a screener's `metadata` for one, may be there and are not read. */
export const Vote = z.object(
  {
    evaluator_id: Name,
    elimination_decision: z.object(
      {
        /** The candidate; null is an abstention. */
        eliminated: OptionalText,
        reason: OptionalText,
        confidence: Confidence.nullish().transform((confidence) => confidence ?? 'Medium'),
      },
      { error: 'expected an object with eliminated, reason and confidence' },
    ),
    /**
     * Candidate → what the evaluator thinks of it; a grade in it (1 to 10, `high`, `best`) may show a conflict.
     * No record of zod's: that loses a candidate by the name of `__proto__`.
     */
    quick_assessments: z
      .custom<Record<string, unknown>>(isPlainObject, { error: 'expected an object' })
      .nullish()
      .transform((assessments) => assessments ?? {}),
  },
  { error: 'expected a vote with evaluator_id and elimination_decision' },
)
export type Vote = z.infer<typeof Vote>

/** The upper end keeps every sum finite, whatever the number of votes. */
const WEIGHT = { error: 'expected a number from 0 to 1e12' }
const Weight = z.number(WEIGHT).min(0, WEIGHT).max(1e12, WEIGHT)

/** The keys that are not given keep the seed's weights. A key nobody knows is refused: misspelt, it would change who is eliminated. */
export const ConfidenceWeights = z
  .object(
    {
      High: Weight.default(DEFAULT_WEIGHTS.High),
      Medium: Weight.default(DEFAULT_WEIGHTS.Medium),
      Low: Weight.default(DEFAULT_WEIGHTS.Low),
    },
    { error: 'expected an object with weights for High, Medium and Low' },
  )
  .catchall(noOtherThan('High, Medium, Low'))
  .transform(({ High, Medium, Low }) => ({ High, Medium, Low }))
export type ConfidenceWeights = z.infer<typeof ConfidenceWeights>

const THRESHOLD = { error: 'expected a whole number from 1' }

/** Seed 003's input and `candidates`. What is parsed fits together: see `voteFaults`. */
export const VoteInput = z
  .object(
    {
      votes: z.array(Vote, { error: 'expected a list of votes' }).min(1, { error: 'expected at least one vote' }),
      /** Weighted votes that eliminate a candidate. */
      elimination_threshold: z.int(THRESHOLD).min(1, THRESHOLD),
      confidence_weights: ConfidenceWeights.prefault({}),
      /** True: only a candidate that every vote names is eliminated. */
      require_unanimous: z.boolean({ error: 'expected true or false' }).default(false),
      /** Everybody who stands. Without it: whom the votes and assessments name. */
      candidates: z
        .array(Name, { error: 'expected a list of names' })
        .min(2, { error: 'expected at least two candidates' })
        .optional(),
    },
    { error: 'expected an object with votes and elimination_threshold' },
  )
  .catchall(noOtherThan('votes, elimination_threshold, confidence_weights, require_unanimous, candidates'))
  .transform(({ votes, elimination_threshold, confidence_weights, require_unanimous, candidates }) => ({
    votes,
    elimination_threshold,
    confidence_weights,
    require_unanimous,
    candidates: candidates ?? null,
  }))
  .superRefine((input, context) => {
    for (const { path, message } of voteFaults(input)) context.addIssue({ code: 'custom', path, message })
  })
export type VoteInput = z.infer<typeof VoteInput>

export const ConsensusLevel = z.enum(CONSENSUS_LEVELS)
export type ConsensusLevel = z.infer<typeof ConsensusLevel>

/** `voters` in the order of the votes. */
export const VoteCount = z.object({
  raw_votes: z.int().min(0),
  weighted_votes: z.number().min(0),
  voters: z.array(z.string()),
})
export type VoteCount = z.infer<typeof VoteCount>

export const VoteConflict = z.object({
  candidate: z.string(),
  conflicting_evaluators: z.array(z.string()),
  description: z.string(),
})
export type VoteConflict = z.infer<typeof VoteConflict>

/** Seed 003's output, every optional field there. Both lists of `aggregated_result` are in the order of the candidates. */
export const VoteResult = z.object({
  aggregated_result: z.object({ eliminated_candidates: z.array(z.string()), survivors: z.array(z.string()) }),
  /** True when somebody is eliminated: the threshold, and unanimity where it is required. */
  threshold_reached: z.boolean(),
  /** Every known candidate, those without a vote too. */
  vote_distribution: z.record(z.string(), VoteCount),
  consensus_analysis: z.object({
    consensus_level: ConsensusLevel,
    /** Votes for the candidate with the most, by all votes: 0 to 1. */
    agreement_ratio: z.number().min(0).max(1),
    conflicts: z.array(VoteConflict),
  }),
  /** 'evaluator: reason' for every vote against the candidate, in the order of its `voters`. */
  reasoning_summary: z.record(z.string(), z.array(z.string())),
})
export type VoteResult = z.infer<typeof VoteResult>

function noOtherThan(names: string) {
  return z.unknown().refine(() => false, { error: `expected no other fields than ${names}` })
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
