import { z } from 'zod'
import { ACCURACY, COMPLIANCE, PASSING_QUALITY, QUALITY_LEVELS, REVIEW_SEVERITIES } from '../rules/review/words.js'

/** What the agents of seed 004 answer (3.2, 5.1, 5.2). Further fields are let through and not read. */

const Said = z.string().max(20_000).nullish()

/**
 * One issue as a reviewer gives it. Only its shape is asked for here, so that one bad issue does not cost the others: that fields are filled,
 * words known and quotations true is found out by `groundIssues`, issue by issue.
 */
export const ReviewDraft = z.object({
  id: z.string().max(200).nullish(),
  relevantFile: Said,
  existingCode: Said,
  suggestionContent: Said,
  improvedCode: Said,
  label: Said,
  suggestionLine: z.union([z.number(), z.string().max(20)]).nullish(),
  severity: Said,
  /** Ours: the rule of an analyser, or a word of the reviewer's for the kind of issue. */
  rule: z.string().max(200).nullish(),
  /** Ours: `improvedCode` is advice in code form, not a fix. */
  isAdvice: z.boolean().nullish(),
  /** Ours: the analyser that found it. */
  source: z.string().max(100).nullish(),
})
export type ReviewDraft = z.infer<typeof ReviewDraft>

const Count = z.number().nullish()

const MOST_ISSUES = 2_000

/** A reviewer's own counts are never believed: the summary is made again. */
export const ReviewAnswer = z.object({
  task_id: z.string(),
  issues: z.array(ReviewDraft).max(MOST_ISSUES, { error: `expected at most ${MOST_ISSUES} issues` }),
  summary: z
    .object({
      total_issues: Count,
      severity_distribution: z.record(z.string(), z.unknown()).nullish(),
      overall_assessment: Said,
      priority_recommendations: z.array(z.string().max(4_000)).max(200).nullish(),
    })
    .nullish(),
})
export type ReviewAnswer = z.infer<typeof ReviewAnswer>

export const AccuracyCheck = z.object({
  issue_id: z.string().max(200),
  accuracy_status: z.enum(ACCURACY),
  evidence: z.string().max(4_000),
  deletion_required: z.boolean(),
  deletion_reason: z.string().max(4_000).nullish(),
})
export type AccuracyCheck = z.infer<typeof AccuracyCheck>

export const RuleComplianceCheck = z.object({
  issue_id: z.string().max(200),
  compliance_status: z.enum(COMPLIANCE),
  violated_rules: z.array(z.string().max(2_000)).max(50).default([]),
  deletion_required: z.boolean(),
  violation_reason: z.string().max(4_000).nullish(),
})
export type RuleComplianceCheck = z.infer<typeof RuleComplianceCheck>

export const MissingIssue = z.object({
  description: z.string().max(4_000),
  evidence: z.string().max(4_000),
  suggested_severity: z.enum(REVIEW_SEVERITIES),
})
export type MissingIssue = z.infer<typeof MissingIssue>

export const QualityAssessment = z.object({
  /** Below 50 the review is done again, whatever else is said. */
  overall_score: z.number().min(0).max(100),
  quality_level: z.enum(QUALITY_LEVELS),
  strengths: z.array(z.string().max(2_000)).max(50).default([]),
  weaknesses: z.array(z.string().max(2_000)).max(50).default([]),
  missing_issues: z.array(MissingIssue).max(200).default([]),
})
export type QualityAssessment = z.infer<typeof QualityAssessment>

export const VerificationResult = z.object({
  accuracy_check: z.array(AccuracyCheck).max(MOST_ISSUES),
  rule_compliance_check: z.array(RuleComplianceCheck).max(MOST_ISSUES).default([]),
  quality_assessment: QualityAssessment,
})
export type VerificationResult = z.infer<typeof VerificationResult>

/** An analyser or agent that was asked. */
export const ReviewerNote = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'unavailable']),
  note: z.string(),
})
export type ReviewerNote = z.infer<typeof ReviewerNote>

/** Of all parts together: an answer's bounds are not the report's. */
export const MergedVerification = VerificationResult.extend({
  accuracy_check: z.array(AccuracyCheck),
  rule_compliance_check: z.array(RuleComplianceCheck),
})

const Errors = {
  status: z.literal('ERROR', { error: 'expected "ERROR", or no status beside a result' }).optional(),
  error_type: z.string().max(200).optional(),
  message: z.string().max(4_000).optional(),
}

/** All that a Review Agent may answer: a result, or `status: "ERROR"` with a message. What it is must be plain, not told by what is missing. */
export const ReviewReply = z
  .object({
    task_id: z.string(),
    ...Errors,
    issues: z
      .array(ReviewDraft)
      .max(MOST_ISSUES, { error: `expected at most ${MOST_ISSUES} issues` })
      .optional(),
    summary: ReviewAnswer.shape.summary,
    /** Ours: what analysers were asked, when they are the reviewer. */
    reviewers: z.array(ReviewerNote).max(50).optional(),
  })
  .superRefine((reply, context) => {
    if (reply.status === undefined && reply.issues === undefined)
      context.addIssue({
        code: 'custom',
        path: ['issues'],
        message: 'expected a list, or status "ERROR" with a message',
      })
    if (reply.status === 'ERROR' && !reply.message)
      context.addIssue({ code: 'custom', path: ['message'], message: 'expected the reason of the error' })
  })
export type ReviewReply = z.infer<typeof ReviewReply>

/** All that a Verify Agent may answer: a result, `ERROR`, or `ERROR` with the type `QUALITY_TOO_LOW`. */
export const VerifyReply = z
  .object({
    task_id: z.string(),
    ...Errors,
    quality_issues: z.array(z.string().max(2_000)).max(50).optional(),
    recommended_action: z.string().max(2_000).optional(),
    verification_result: VerificationResult.optional(),
  })
  .superRefine((reply, context) => {
    if (reply.status === undefined && reply.verification_result === undefined)
      context.addIssue({
        code: 'custom',
        path: ['verification_result'],
        message: 'expected an object, or status "ERROR" with a message',
      })
    if (reply.status === 'ERROR' && !reply.message)
      context.addIssue({ code: 'custom', path: ['message'], message: 'expected the reason of the error' })
  })
export type VerifyReply = z.infer<typeof VerifyReply>

/** Null when a verification passes; otherwise what `QUALITY_TOO_LOW` would say of it. */
export function tooLow({ quality_assessment }: VerificationResult): string[] | null {
  const { overall_score, weaknesses } = quality_assessment
  if (overall_score >= PASSING_QUALITY) return null
  return [`the review scored ${overall_score}, expected at least ${PASSING_QUALITY}`, ...weaknesses]
}
