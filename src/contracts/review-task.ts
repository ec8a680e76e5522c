import { z } from 'zod'
import { taskIdProblem } from '../rules/review/task-id.js'
import { REVIEW_TYPES } from '../rules/review/words.js'

/** Seed 004, 3.2: what every agent of a review is told. */

export const ReviewTaskId = z.string({ error: 'expected text' }).superRefine((taskId, context) => {
  const problem = taskIdProblem(taskId)
  if (problem !== null) context.addIssue({ code: 'custom', message: problem })
})
export type ReviewTaskId = z.infer<typeof ReviewTaskId>

export const ReviewType = z.enum(REVIEW_TYPES, { error: 'expected one of diff, file, snippet' })
export type ReviewType = z.infer<typeof ReviewType>

const Folder = z
  .string({ error: 'expected text' })
  .max(4_096)
  .regex(/^(?:\/|[A-Za-z]:[\\/])/, { error: 'expected an absolute path' })

const Line = z.string({ error: 'expected text' }).min(1, { error: 'expected some text' }).max(2_000)

/** Seed 004, 6.3. */
export const RetryContext = z.object({
  /** 1 for the first try. */
  attempt_number: z.int().min(1),
  previous_errors: z.array(z.string().max(4_000)).max(100),
  /** 'recreate_content_file', 'raise_review_quality', … */
  recovery_actions_taken: z.array(z.string().max(200)).max(100),
})
export type RetryContext = z.infer<typeof RetryContext>

export const ReviewTask = z.object({
  task_id: ReviewTaskId,
  review_type: ReviewType,
  /** That it exists is for the tool to see. */
  working_directory: Folder,
  task_desc: z.string().max(20_000).optional(),
  /** 'Security', 'Performance', …: looked at first, not alone. */
  priority_focus: z.array(Line).max(20).default([]),
  extra_requirements: z.array(Line).max(100).default([]),
  retry_context: RetryContext.optional(),
})
export type ReviewTask = z.infer<typeof ReviewTask>

/** A task as a person hands it in: any part of it, the folder by any of the names the seed gives it. */
export const ReviewTaskDocument = z.strictObject({
  ...ReviewTask.partial().shape,
  work_dir: Folder.optional(),
  repo_path: Folder.optional(),
  /** Of the sender's own tries; the engine counts its own. */
  retry_context: RetryContext.optional(),
})
export type ReviewTaskDocument = z.infer<typeof ReviewTaskDocument>
