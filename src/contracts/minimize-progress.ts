import { z } from 'zod'

/** Heartbeat details of step `minimize`: where the next attempt goes on. */
export const MinimizeProgress = z.object({
  /** Of the best text so far, an artifact in the store. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Lines of it that are not blank. */
  lines: z.int().min(0),
  /** Pass that is running. */
  stage: z.string().max(100),
  /** Oracle runs so far, earlier attempts included. */
  runs: z.int().min(0),
})
export type MinimizeProgress = z.infer<typeof MinimizeProgress>
