import { z } from 'zod'
import { FILTER_REASONS, FINDING_FLAGS, REVIEW_LABELS, REVIEW_SEVERITIES } from '../rules/review/words.js'
import { MergedVerification, ReviewerNote } from './review-answers.js'
import { ReviewType } from './review-task.js'

/** What a review comes to: seed 004, 7.1, with what the engine found out beside it. */

const Count = z.int().min(0)

/** An issue that is in the report: the seed's fields, every one filled and true of the code. */
export const Finding = z.object({
  id: z.string(),
  /** Relative to the repository. */
  relevantFile: z.string(),
  existingCode: z.string(),
  suggestionContent: z.string(),
  improvedCode: z.string(),
  label: z.enum(REVIEW_LABELS),
  /** From 1, in the version under review. */
  suggestionLine: z.int().min(1),
  severity: z.enum(REVIEW_SEVERITIES),
  /** First and last line of the quotation. */
  startLine: z.int().min(1),
  endLine: z.int().min(1),
  /** True when `existingCode` is these lines whole, so that `improvedCode` can take their place. */
  isWholeLines: z.boolean(),
  rule: z.string().nullable(),
  /** Who found it: an analyser's name, or 'reviewer'. */
  source: z.string(),
  /** Stays the same when lines move or the file is renamed. 32 hexadecimal digits. */
  fingerprint: z.string(),
  flags: z.array(z.enum(FINDING_FLAGS)),
  /** What the Verify agent said, where it said something. */
  evidence: z.string().nullable(),
})
export type Finding = z.infer<typeof Finding>

/** An issue that is not in the report, and why; texts are cut. */
export const FilteredIssue = z.object({
  /** The reviewer's own name for it; '' where it gave none. */
  id: z.string(),
  relevantFile: z.string(),
  suggestionLine: z.string(),
  existingCode: z.string(),
  label: z.string(),
  severity: z.string(),
  suggestionContent: z.string(),
  reason: z.enum(FILTER_REASONS),
  /** One line for a person; of a suppression the reason given there. */
  detail: z.string(),
  /** Null where there was no true quotation to take it from. */
  fingerprint: z.string().nullable(),
})
export type FilteredIssue = z.infer<typeof FilteredIssue>

export const SeverityDistribution = z.object({ Critical: Count, High: Count, Medium: Count, Low: Count })
export type SeverityDistribution = z.infer<typeof SeverityDistribution>

/** Made from the findings that are left, never taken from an agent. */
export const ReviewSummary = z.object({
  total_issues: Count,
  severity_distribution: SeverityDistribution,
  overall_assessment: z.string(),
  priority_recommendations: z.array(z.string()),
})
export type ReviewSummary = z.infer<typeof ReviewSummary>

/** raised = kept + every reason of `filtered`. */
export const ReviewCounts = z.object({
  raised: Count,
  kept: Count,
  /** By reason; a reason that did not occur is not there. */
  filtered: z.partialRecord(z.enum(FILTER_REASONS), Count),
})
export type ReviewCounts = z.infer<typeof ReviewCounts>

/** What was not looked at, so that silence is not taken for praise. */
export const LeftOut = z.object({ path: z.string(), reason: z.string() })
export type LeftOut = z.infer<typeof LeftOut>

export const ReviewCoverage = z.object({
  review_type: ReviewType,
  files: Count,
  /** Added lines of a diff, all lines otherwise. */
  lines: Count,
  parts: Count,
  left_out: z.array(LeftOut),
  reviewers: z.array(ReviewerNote),
})
export type ReviewCoverage = z.infer<typeof ReviewCoverage>

/** One retry of the supervisor, as its `retry_context` told it. */
export const ReviewRetry = z.object({
  part: z.string(),
  stage: z.enum(['review', 'verify', 'content']),
  error: z.string(),
  action: z.string(),
})
export type ReviewRetry = z.infer<typeof ReviewRetry>

/** Seed 004, 7.1, the default form. Everything a review knows; the other forms are made from it. */
export const ReviewReport = z.object({
  task_id: z.string(),
  summary: z.string(),
  /** `partial`: see `missing`. */
  status: z.enum(['complete', 'partial']),
  /** What is missing, a sentence each. */
  missing: z.array(z.string()),
  review_results: z.object({
    issues: z.array(Finding),
    summary: ReviewSummary,
    counts: ReviewCounts,
    filtered: z.array(FilteredIssue),
    coverage: ReviewCoverage,
    retries: z.array(ReviewRetry),
  }),
  /** Null when no verification came. */
  verification_results: MergedVerification.nullable(),
  final_recommendations: z.array(z.string()),
})
export type ReviewReport = z.infer<typeof ReviewReport>

/** Seed 004, 7.1, the simple array. */
export const ReviewArray = z.array(
  Finding.pick({
    relevantFile: true,
    existingCode: true,
    suggestionContent: true,
    improvedCode: true,
    label: true,
    suggestionLine: true,
  }),
)
export type ReviewArray = z.infer<typeof ReviewArray>
