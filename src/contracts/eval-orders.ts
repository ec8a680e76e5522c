import { z } from 'zod'
import { ANGLES } from '../rules/eval/words.js'
import { Artifact } from './artifact.js'
import { Candidate } from './eval.js'

/** Order of the activity `readCandidates`: do they speak to their judges? */
export const ReadOrder = z.object({ candidates: z.array(Candidate).max(50) })
export type ReadOrder = z.infer<typeof ReadOrder>

export const ReadReply = z.object({
  hidden: z.array(z.object({ candidate: z.int().min(0), lines: z.array(z.string()).max(5) })),
})
export type ReadReply = z.infer<typeof ReadReply>

/** Order of the activity `groundAnalyses`: all defect analyses of one candidate. */
export const GroundOrder = z.object({
  candidate: Candidate,
  answers: z.array(z.object({ seat: z.int().min(0), judge: z.string(), answer: Artifact })).max(50),
})
export type GroundOrder = z.infer<typeof GroundOrder>

export const GroundReply = z.object({
  grounded: z.array(
    z.object({
      seat: z.int().min(0),
      angles: z.array(z.enum(ANGLES)),
      severities: z.object({ Critical: z.int(), Major: z.int(), Minor: z.int() }),
      invented: z.int().min(0),
    }),
  ),
  /** All of them in one document, with what was not found marked. */
  record: Artifact,
})
export type GroundReply = z.infer<typeof GroundReply>
