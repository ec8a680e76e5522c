import { z } from 'zod'

/** One test, as its runner names it. */
export const TestName = z.strictObject({
  name: z.string().max(300),
  /** Relative to the project; null where the runner does not say. */
  file: z.string().max(300).nullable(),
})
export type TestName = z.infer<typeof TestName>

/** What the engine measured of the tester's tests before there was any implementation. Lists are cut, counts are in `details`. */
export const RedVerdict = z.discriminatedUnion('status', [
  z.strictObject({
    status: z.literal('red'),
    details: z.string(),
    /** All that failed, those by assertion first. */
    red: z.array(TestName),
    /** New tests that say nothing, since they passed. */
    alreadyPassing: z.array(TestName),
  }),
  z.strictObject({
    status: z.literal('not_red'),
    /** Five different mistakes of a tester. */
    reason: z.enum(['unmeasured', 'not_collected', 'no_tests', 'passed_at_once', 'failed_by_error']),
    details: z.string(),
  }),
])
export type RedVerdict = z.infer<typeof RedVerdict>

/** What the engine measured of an implementation. */
export const GreenVerdict = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('green'), details: z.string() }),
  z.strictObject({
    status: z.literal('not_green'),
    /** `missing`: tests that were red are gone or skipped. */
    reason: z.enum(['unmeasured', 'not_collected', 'no_tests', 'still_failing', 'missing']),
    details: z.string(),
    failing: z.array(TestName),
  }),
])
export type GreenVerdict = z.infer<typeof GreenVerdict>
