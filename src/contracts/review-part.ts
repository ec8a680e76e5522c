import { z } from 'zod'
import { RelativePath } from './artifact.js'
import { ReviewerNote, VerificationResult } from './review-answers.js'
import { FilteredIssue, Finding, LeftOut, ReviewRetry } from './review-report.js'
import { ReviewSuppressions } from './review-suppressions.js'
import { ReviewType } from './review-task.js'

/** A hunk of a diff; see `rules/review/diff-hunk.ts`. */
export const ReviewHunk = z.object({
  oldStart: z.int().min(0),
  newStart: z.int().min(0),
  oldLines: z.int().min(0),
  newLines: z.int().min(0),
  section: z.string(),
  lines: z.array(z.string()),
  isOldUnended: z.boolean(),
  isNewUnended: z.boolean(),
})
export type ReviewHunk = z.infer<typeof ReviewHunk>

/** A file under review. */
export const ReviewFile = z.object({
  path: RelativePath,
  /** Where a renamed or copied file was. */
  old_path: RelativePath.nullable(),
  /** `given` is a file or snippet reviewed as it stands: all of it is in scope. */
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'given']),
  hunks: z.array(ReviewHunk),
  /** The version under review; null where only the diff is known. */
  text: z.string().nullable(),
  /** The version before; null where there is none or it is not known. */
  before: z.string().nullable(),
})
export type ReviewFile = z.infer<typeof ReviewFile>

/** Everything under review: an artifact that the CLI makes. */
export const ReviewSources = z.object({
  review_type: ReviewType,
  files: z.array(ReviewFile).max(100_000),
  left_out: z.array(LeftOut),
  /** Of the version before the change. */
  suppressions: ReviewSuppressions.shape.suppressions,
})
export type ReviewSources = z.infer<typeof ReviewSources>

/** What one pair of agents looks at: an artifact. */
export const ReviewPart = z.object({
  /** 'p1', 'p2', … */
  id: z.string(),
  files: z.array(ReviewFile),
})
export type ReviewPart = z.infer<typeof ReviewPart>

/** A part's issues held against its code: an artifact. */
export const GroundedPart = z.object({
  findings: z.array(Finding),
  filtered: z.array(FilteredIssue),
  /** Those of `filtered` that are untrue of the code. */
  refuted: z.int().min(0),
  reviewers: z.array(ReviewerNote),
  /** What the reviewer wrote of the whole. */
  assessment: z.string().nullable(),
})
export type GroundedPart = z.infer<typeof GroundedPart>

/** All that came of one part: an artifact. */
export const SettledPart = z.object({
  id: z.string(),
  grounded: GroundedPart.nullable(),
  verification: VerificationResult.nullable(),
  missing: z.string().nullable(),
  retries: z.array(ReviewRetry),
})
export type SettledPart = z.infer<typeof SettledPart>
