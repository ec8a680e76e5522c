import { z } from 'zod'

/** One test, as its runner names it. */
export const TestName = z.strictObject({
  name: z.string().max(300),
  /** Relative to the project; null where the runner does not say. */
  file: z.string().max(300).nullable(),
})
export type TestName = z.infer<typeof TestName>
