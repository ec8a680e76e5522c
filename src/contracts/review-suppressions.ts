import { z } from 'zod'

const Reason = z
  .string({ error: 'expected a reason' })
  .trim()
  .min(3, { error: 'expected a reason of at least 3 characters' })
  .max(1_000)

const ByFingerprint = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{32}$/, { error: 'expected the 32 hexadecimal digits of a fingerprint' }),
  reason: Reason,
})

const ByRule = z.strictObject({
  rule: z.string().min(1).max(200),
  /** A glob over the whole path: `*` within a folder, `**` across folders. */
  path: z.string().min(1).max(500),
  reason: Reason,
})

/** `.gauntlet-review.json` of the version before the change: a change never excuses itself. */
export const ReviewSuppressions = z.strictObject({
  suppressions: z
    .array(z.union([ByFingerprint, ByRule], { error: 'expected {fingerprint, reason} or {rule, path, reason}' }))
    .max(10_000),
})
export type ReviewSuppressions = z.infer<typeof ReviewSuppressions>
export type ReviewSuppression = ReviewSuppressions['suppressions'][number]
