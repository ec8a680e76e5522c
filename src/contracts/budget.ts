import { z } from 'zod'

/** What a run may use up; null is no limit. */
export const Budget = z.object({
  tokens: z.int().min(1).nullable(),
  /** US dollars. */
  cost: z.number().positive().nullable(),
  /** Calls of agents. */
  rounds: z.int().min(1).nullable(),
  /** Wall-clock, from the run's start. */
  seconds: z.int().min(1).nullable(),
})
export type Budget = z.infer<typeof Budget>
