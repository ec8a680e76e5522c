import { z } from 'zod'

const Sentence = z.string().max(2_000)
const Sentences = z.array(Sentence).max(100)
const Score = z.int().min(1).max(10)

/** Seed 001, 5.8. Scores are 1 to 10. */
export const ReviewDimension = z.object({ score: Score, issues: Sentences, suggestions: Sentences.optional() })
export type ReviewDimension = z.infer<typeof ReviewDimension>

/** The reviewer's word on a criterion that names no test and no command. */
export const JudgedCriterion = z.object({ criterion: z.string().max(500), met: z.boolean(), reason: Sentence })
export type JudgedCriterion = z.infer<typeof JudgedCriterion>

/** Seed 001, 5.8: the review. What it says of itself is checked by `judgeReview`: approved with blockers is not approved. */
export const AcceptanceResult = z.object({
  codeQuality: ReviewDimension,
  bestPractices: ReviewDimension,
  security: ReviewDimension,
  documentation: ReviewDimension,
  overallScore: Score,
  approved: z.boolean(),
  blockers: Sentences,
  recommendations: Sentences,
  /** Of the criteria that were left to the reviewer, each by its words. */
  criteria: z.array(JudgedCriterion).max(30).optional(),
})
export type AcceptanceResult = z.infer<typeof AcceptanceResult>

/** Seed 001, 5.9. */
export const ResearchReport = z.object({
  summary: z.string().min(1).max(4_000),
  approaches: z
    .array(
      z.object({
        name: z.string().max(200),
        description: Sentence,
        pros: Sentences,
        cons: Sentences,
        recommendation: Sentence,
      }),
    )
    .max(20),
  tools: z.array(z.object({ name: z.string().max(200), purpose: Sentence, usage: Sentence })).max(50),
  challenges: Sentences,
  recommendations: Sentences,
  resources: z.array(z.object({ type: z.string().max(50), url: z.string().max(1_000), description: Sentence })).max(50),
})
export type ResearchReport = z.infer<typeof ResearchReport>

/** What an agent is missing. The seed shows `information` alone; the others say why a person is asked. */
export const BlockInfo = z.object({
  reason: z.string().max(2_000),
  type: z.enum(['information', 'decision', 'dependency', 'approval']),
  missingInfo: Sentences,
})
export type BlockInfo = z.infer<typeof BlockInfo>

/** Why the agent did as it did, for those who come after it. */
export const Decision = z.object({
  description: z.string().min(1).max(500),
  reason: z.string().max(500),
  impact: z.string().max(500),
})
export type Decision = z.infer<typeof Decision>

const Told = z.object({
  /** What was done, for people. It decides nothing. */
  summary: Sentence,
  decisions: z.array(Decision).max(20).optional(),
  /** For the phases to come. */
  suggestions: z
    .array(z.object({ suggestion: z.string().min(1).max(500), for: z.enum(['develop', 'verify', 'accept']) }))
    .max(20)
    .optional(),
  /** Given when the task cannot be done with what is known. Tests that were measured good overrule it. */
  blocked: BlockInfo.nullable().optional(),
})

/** What a tester tells about the tests it wrote; whether they fail is measured. */
export const TesterAnswer = Told.extend({
  tests: z.array(z.object({ file: z.string().max(300), verifies: Sentence })).max(200),
})
export type TesterAnswer = z.infer<typeof TesterAnswer>

/** What a coder tells about its work; whether the tests pass is measured. */
export const CoderAnswer = Told.extend({
  files: z.array(z.object({ file: z.string().max(300), purpose: z.string().max(500) })).max(200),
})
export type CoderAnswer = z.infer<typeof CoderAnswer>

const Said = z.looseObject({
  status: z.enum(['pass', 'fail', 'skipped', 'unavailable']),
  details: z.string().max(4_000).optional(),
})

/** Seed 001, 5.7: the report an executor gives. The engine measures the same gates; where the two disagree, that is said. */
export const ExecutorAnswer = z.object({
  build: Said,
  test: Said,
  coverage: Said,
  lint: Said,
  security: Said,
  e2e: Said,
  acceptance: Said,
})
export type ExecutorAnswer = z.infer<typeof ExecutorAnswer>
