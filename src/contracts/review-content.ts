import { z } from 'zod'
import { MergedVerification } from './review-answers.js'
import { Finding, ReviewSummary } from './review-report.js'
import { ReviewTaskId, ReviewType } from './review-task.js'

/** Seed 004, 4: the content file, which grows as the review goes on. */

export const ReviewContent = z.object({
  diff_content: z.string().optional(),
  commit_metadata: z.object({ source_commit: z.string(), target_commit: z.string() }).optional(),
  files_changed: z.array(z.string()).optional(),
  review_scope: z.array(z.string()).optional(),
  target_file: z.string().optional(),
  target_files: z.array(z.string()).optional(),
  snippet_code: z.string().optional(),
})
export type ReviewContent = z.infer<typeof ReviewContent>

export const ReviewContentFile = z.object({
  task_id: ReviewTaskId,
  review_type: ReviewType,
  created_at: z.iso.datetime(),
  content: ReviewContent,
  /** From the second stage on. */
  review_result: z
    .object({
      task_id: z.string(),
      issues: z.array(Finding),
      summary: ReviewSummary,
      completed_at: z.iso.datetime(),
    })
    .optional(),
  /** From the third. */
  verification_result: MergedVerification.extend({ completed_at: z.iso.datetime() }).optional(),
})
export type ReviewContentFile = z.infer<typeof ReviewContentFile>
