import { z } from 'zod'
import { Artifact } from './artifact.js'
import { ReviewTask } from './review-task.js'

const Sha256 = Artifact.shape.sha256

/** What the two roles of a review are told. */

export const CodeReviewerInput = z.object({
  task: ReviewTask,
  /** A `ReviewPart`. */
  part: Sha256,
})
export type CodeReviewerInput = z.infer<typeof CodeReviewerInput>

export const CodeVerifierInput = z.object({
  task: ReviewTask,
  part: Sha256,
  /** A `GroundedPart`. */
  grounded: Sha256,
  /** Findings in it: ISSUE-001 and so on. */
  issues: z.int().min(0),
})
export type CodeVerifierInput = z.infer<typeof CodeVerifierInput>
