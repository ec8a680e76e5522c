import { z } from 'zod'
import { RelativePath } from './artifact.js'

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

/** What one pair of agents looks at: an artifact. */
export const ReviewPart = z.object({
  /** 'p1', 'p2', … */
  id: z.string(),
  files: z.array(ReviewFile),
})
export type ReviewPart = z.infer<typeof ReviewPart>
