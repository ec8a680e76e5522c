import type { Artifact } from '../contracts/artifact.js'
import type { MergeReply, ReviewInput } from '../contracts/review-run.js'
import type { ReviewEvent } from '../rules/review/supervise.js'
import type { Asking } from './ask-role.js'
import type { Run } from './run.js'

/** A review while it is under way. */
export interface ReviewRun {
  run: Run
  input: ReviewInput
  asking: Asking
  /** The content file as it is now. */
  content: Artifact
  parts: ReviewPartRun[]
  /** How the content file was found, each time it had to be made again. */
  rebuilt: string[]
  merged: MergeReply | null
  failure: string | null
}

/** One part of it: what has happened to it decides what is next. */
export interface ReviewPartRun {
  /** 'p1', … */
  id: string
  /** A `ReviewPart`. */
  sha256: string
  /** The task's own where there is one part. */
  taskId: string
  events: ReviewEvent[]
  answer: string | null
  grounded: string | null
  /** Findings in `grounded`. */
  issues: number
  verification: string | null
  settled: string | null
}

/** A row of the run's list; with several parts each has rows of its own. */
export function rowOf({ parts }: ReviewRun, step: 'review' | 'ground' | 'verify', part: ReviewPartRun): string {
  return parts.length === 1 ? step : `${step} ${part.id}`
}
