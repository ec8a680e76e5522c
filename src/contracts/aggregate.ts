import { z } from 'zod'

/** What the result aggregator of seed 000 takes and gives; field names as the seed spells them. */

export const Dimension = z.enum(['security', 'quality', 'performance'])
export type Dimension = z.infer<typeof Dimension>

/** Worst first. */
export const Severity = z.enum(['Critical', 'High', 'Medium', 'Low'], {
  error: 'expected one of Critical, High, Medium, Low',
})
export type Severity = z.infer<typeof Severity>

export const Recommendation = z.enum(['PASS', 'ITERATE', 'FAIL_MAX_ITERATIONS', 'STALLED'])
export type Recommendation = z.infer<typeof Recommendation>

export const Lang = z.enum(['en', 'zh'])
export type Lang = z.infer<typeof Lang>

/** Named sets of thresholds and weights; `standard` is the seed's. */
export const Preset = z.enum(['standard', 'strict', 'mvp'], { error: 'expected one of standard, strict, mvp' })
export type Preset = z.infer<typeof Preset>

/** 0 to 100, fractions allowed. */
const Score = numberWithin(0, 100)

const Count = z.int({ error: 'expected a whole number from 0' }).min(0, { error: 'expected a whole number from 0' })

/** From 1. */
const Round = z
  .int({ error: 'expected a whole number from 1 to 1000' })
  .min(1, { error: 'expected a whole number from 1' })
  .max(1000, { error: 'expected at most 1000' })

export const Thresholds = z.strictObject(
  {
    /** Always 0: nothing with a Critical issue passes. */
    critical_max: z.literal(0, { error: 'expected 0 (a Critical issue never passes)' }),
    high_max: Count,
    security_min: Score,
    quality_min: Score,
    performance_min: Score,
    overall_min: Score,
    max_iterations: Round,
    /** Less than so many points twice in a row is no progress. */
    stall_points: Score,
  },
  { error: unknownField },
)
export type Thresholds = z.infer<typeof Thresholds>

/** Any of the thresholds; the others come from the preset. */
export const OwnThresholds = Thresholds.partial()
export type OwnThresholds = z.infer<typeof OwnThresholds>

const Weight = numberWithin(0, 1)

/** Parts of the overall score; they add up to 1 ± 0.001. */
export const Weights = z
  .strictObject({ security: Weight, quality: Weight, performance: Weight }, { error: unknownField })
  .superRefine((weights, context) => {
    const sum = weights.security + weights.quality + weights.performance
    if (Math.abs(sum - 1) <= weightTolerance) return
    const shown = Number(sum.toFixed(6))
    context.addIssue({
      code: 'custom',
      message: `expected security + quality + performance = 1 (± 0.001), not ${shown}`,
    })
  })
export type Weights = z.infer<typeof Weights>

/** 0.999 and 1.001 are allowed; the added part is far above what sums of binary fractions lose. */
const weightTolerance = 0.001 + 1e-9

/** One finding of a reviewer. Further fields (cwe_id, function, …) stay as they are. */
export const ReviewIssue = z.looseObject({
  severity: Severity,
  /** 'SQL_INJECTION' */
  type: text(1, 200),
  /** As the reviewer names it: usually relative to the repository. */
  file: text(1, 1000),
  /** From 1; null or missing when the issue is the file's. */
  line: z.int({ error: lineExpected() }).min(1, { error: lineExpected() }).nullish(),
  description: text(1, 20_000),
  /** May be empty. */
  suggestion: text(0, 20_000),
})
export type ReviewIssue = z.infer<typeof ReviewIssue>

/** What one reviewer answered. Its own `passed` never decides. */
export const DimensionResult = z.object(
  {
    passed: z.boolean({ error: 'expected true or false' }),
    score: Score,
    issues: z
      .array(ReviewIssue, { error: 'expected a list of issues' })
      .max(100_000, { error: 'expected at most 100000 issues' }),
  },
  { error: 'expected the review {passed, score, issues}: a missing dimension is never read as 0 or 100' },
)
export type DimensionResult = z.infer<typeof DimensionResult>

/** Words for people ('Python 3.12', 'Spring Boot'); they choose hints and never decide. Further fields are left aside. */
export const TechStack = z.object(
  {
    language: text(1, 200),
    framework: text(0, 200).nullish(),
    constraints: z.array(text(0, 200), { error: 'expected a list of texts' }).max(100).nullish(),
    weights: misplaced('weights'),
    quality_thresholds: misplaced('thresholds'),
  },
  { error: 'expected {language, framework, constraints}' },
)
export type TechStack = z.infer<typeof TechStack>

/** The three reviews of one round. Closed, so that a misspelt `previous_scores` or a fourth dimension is not overlooked. */
export const AggregateInput = z.strictObject(
  {
    /** From 1 to the highest that the thresholds allow. */
    iteration: Round,
    tech_stack: TechStack,
    security_result: DimensionResult,
    quality_result: DimensionResult,
    performance_result: DimensionResult,
    /** Overall scores of the rounds before, oldest first. */
    previous_scores: z.array(Score, { error: 'expected a list of scores' }).max(1000).nullish(),
    preset: Preset.optional(),
    thresholds: OwnThresholds.optional(),
    weights: Weights.optional(),
  },
  { error: unknownField },
)
export type AggregateInput = z.infer<typeof AggregateInput>

export const IssueSource = z.enum(['security-reviewer', 'quality-checker', 'performance-analyzer'])
export type IssueSource = z.infer<typeof IssueSource>

/** An issue as it was given, and who gave it. */
export const SourcedIssue = ReviewIssue.extend({ source: IssueSource })
export type SourcedIssue = z.infer<typeof SourcedIssue>

/** All scores and differences are rounded half up to two decimals; decisions were made on the exact numbers. */
export const AggregateResult = z.strictObject({
  iteration: Round,
  /** Exactly when `recommendation` is PASS. */
  passed: z.boolean(),
  overall_score: Score,
  scores: z.strictObject({ security: Score, quality: Score, performance: Score }),
  weights: Weights,
  critical_issues: z.array(SourcedIssue),
  high_issues: z.array(SourcedIssue),
  medium_issues: z.array(SourcedIssue),
  low_issues: z.array(SourcedIssue),
  /** Markdown. */
  feedback_for_code_writer: z.string(),
  recommendation: Recommendation,
  progress: z.strictObject({
    /** The first, third and fourth are null when there was no round before. */
    previous_score: Score.nullable(),
    current_score: Score,
    improvement: z.number().nullable(),
    trend: z.enum(['improving', 'stable', 'declining']).nullable(),
  }),
  next_action: z.string(),
  /** Why this recommendation: the first check that is not met, in the seed's order. */
  reason: z.string(),
  thresholds_used: Thresholds,
  weights_used: Weights,
  /** As given, before anything was merged. */
  issue_counts: z.strictObject({ critical: Count, high: Count, medium: Count, low: Count }),
  /** Reviewers whose own `passed` does not follow from their score and issues. */
  inconsistencies: z.array(z.strictObject({ dimension: Dimension, passed: z.boolean(), detail: z.string() })),
})
export type AggregateResult = z.infer<typeof AggregateResult>

function numberWithin(low: number, high: number) {
  const error = `expected a number from ${low} to ${high}`
  return z.number({ error }).min(low, { error }).max(high, { error })
}

function text(least: number, most: number) {
  const error = `expected a text of ${least} to ${most} characters`
  return z.string({ error }).min(least, { error }).max(most, { error })
}

function lineExpected(): string {
  return 'expected a line number from 1, or null'
}

/** Where people put it out of habit, and where it would silently do nothing. */
function misplaced(field: string) {
  return z.undefined({ error: `expected "${field}" at the top of the document, not here` }).optional()
}

function unknownField(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined
  const key = String(Array.isArray(issue['keys']) ? issue['keys'][0] : '').slice(0, 80)
  return `unknown field ${JSON.stringify(key)}, expected only those of the contract`
}
