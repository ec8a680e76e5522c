import { z } from 'zod'
import { AgentOptions } from './agent.js'
import { Artifact } from './artifact.js'
import { ReviewRetry, SeverityDistribution } from './review-report.js'
import { ReviewTask } from './review-task.js'
import { RunKey, RunOptions } from './run.js'

/** What passes between the workflow `codeReview` and its activities: references and small facts, never texts. */

/** An artifact by its content alone: parts may be many. */
const Sha256 = Artifact.shape.sha256

const Count = z.int().min(0)

/** Input of the workflow `codeReview`. */
export const ReviewInput = z.object({
  key: RunKey,
  task: ReviewTask,
  /** The content file in its first stage (`ReviewContentFile`). */
  content: Artifact,
  /** What is under review (`ReviewSources`). */
  sources: Artifact,
  /** Tokens that one part may show an agent. */
  part_tokens: z.int().min(500).max(2_000_000),
  ...AgentOptions.shape,
  ...RunOptions.shape,
  /** Of everything that says what the run is about, by the CLI. */
  input_digest: z.string().max(64),
})
export type ReviewInput = z.infer<typeof ReviewInput>

/** Order of the activity `splitReview`. */
export const SplitOrder = z.object({ run_id: z.string(), sources: Artifact, part_tokens: z.int().min(1) })
export type SplitOrder = z.infer<typeof SplitOrder>

const MOST_PARTS = 300

export const SplitReply = z.object({
  /** Each a `ReviewPart`, in the order of the files. */
  parts: z.array(Sha256).max(MOST_PARTS),
  files: Count,
  /** Added lines of a diff, all lines otherwise. */
  lines: Count,
  left_out: Count,
  /** `ReviewCoverage` but for who reviewed. */
  coverage: Sha256,
})
export type SplitReply = z.infer<typeof SplitReply>

/** Order of the activity `groundReview`: one part's answer held against its code. */
export const GroundOrder = z.object({
  run_id: z.string(),
  /** Makes each try an order of its own. */
  round: z.int().min(1),
  working_directory: z.string(),
  part: Sha256,
  answer: Sha256,
  sources: Sha256,
})
export type GroundOrder = z.infer<typeof GroundOrder>

export const GroundReply = z.object({
  /** `GroundedPart`. */
  grounded: Sha256,
  raised: Count,
  kept: Count,
  /** Untrue of the code, in whatever way. */
  refuted: Count,
})
export type GroundReply = z.infer<typeof GroundReply>

/** How one part ended. */
export const PartEnd = z.object({
  part: Sha256,
  /** Null when no review of it came. */
  grounded: Sha256.nullable(),
  /** A `VerifyReply` with a result; null when none came. */
  verification: Sha256.nullable(),
  /** What is missing, a sentence; null when nothing is. */
  missing: z.string().max(600).nullable(),
  retries: z.array(ReviewRetry).max(10),
})
export type PartEnd = z.infer<typeof PartEnd>

/** Order of the activity `settlePart`: everything of one part as one artifact, so that many parts fit into one order. */
export const SettleOrder = z.object({ run_id: z.string(), ...PartEnd.shape })
export type SettleOrder = z.infer<typeof SettleOrder>

export const SettleReply = z.object({ settled: Sha256 })
export type SettleReply = z.infer<typeof SettleReply>

/** Order of the activity `keepContent`: the content file's second stage. */
export const ContentOrder = z.object({
  run_id: z.string(),
  task_id: z.string(),
  content: Artifact,
  grounded: z.array(Sha256).max(MOST_PARTS),
  at: z.iso.datetime(),
})
export type ContentOrder = z.infer<typeof ContentOrder>

export const ContentReply = z.object({ content: Artifact })
export type ContentReply = z.infer<typeof ContentReply>

/** Order of the activity `mergeReview`. */
export const MergeOrder = z.object({
  run_id: z.string(),
  task_id: z.string(),
  content: Artifact,
  coverage: Sha256,
  settled: z.array(Sha256).max(MOST_PARTS),
  /** Who answered: 'builtin', an agent's name. */
  reviewer: z.string().max(200),
  /** Content files made again, and what else the run itself has to tell. */
  retries: z.array(ReviewRetry).max(20),
  at: z.iso.datetime(),
})
export type MergeOrder = z.infer<typeof MergeOrder>

/** What history keeps of a report. */
export const ReviewFacts = z.object({
  status: z.enum(['complete', 'partial']),
  summary: z.string().max(2_000),
  severity_distribution: SeverityDistribution,
  raised: Count,
  kept: Count,
  filtered: z.record(z.string(), Count),
  retries: Count,
  missing: z.array(z.string().max(600)).max(20),
})
export type ReviewFacts = z.infer<typeof ReviewFacts>

export const MergeReply = z.object({ report: Artifact, content: Artifact, facts: ReviewFacts })
export type MergeReply = z.infer<typeof MergeReply>

/** `result` of the result document. */
export const ReviewResult = z.object({
  task_id: z.string(),
  /** `ReviewReport`; null when no part of it could be reviewed. */
  report: Artifact.nullable(),
  content: Artifact,
  facts: ReviewFacts.nullable(),
  parts: Count,
  leftovers: z.array(z.string()),
})
export type ReviewResult = z.infer<typeof ReviewResult>

/** What the extract of a reviewer's answer tells the supervisor. */
export const ReviewerExtract = z.object({ is_error: z.boolean(), message: z.string().max(1_000), issues: Count })
export type ReviewerExtract = z.infer<typeof ReviewerExtract>

export const VerifierExtract = z.object({
  outcome: z.enum(['ok', 'error', 'too_low']),
  message: z.string().max(1_000),
  quality_issues: z.array(z.string().max(500)).max(20),
})
export type VerifierExtract = z.infer<typeof VerifierExtract>
