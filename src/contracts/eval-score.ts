import { z } from 'zod'
import { ANGLES } from '../rules/eval/words.js'
import { Artifact } from './artifact.js'
import { Severity } from './eval-answers.js'
import { Candidate, Judge } from './eval.js'

const Reason = z.string().trim().min(1).max(500)

/**
 * What a scoring program prints: one JSON document with a score of its own, 0 to 10, or a measured value that only means something
 * beside the others' (seconds, lines), from which the scores are made when all are there.
 */
export const ScoreAnswer = z
  .strictObject({
    score: z.number().min(0).max(10).nullable().default(null),
    measured: z
      .strictObject({
        value: z.number().min(0).max(1e15),
        unit: z.string().min(1).max(40),
        better: z.enum(['lower', 'higher']),
      })
      .nullable()
      .default(null),
    /** One line each, the weightiest first. */
    reasons: z.array(Reason).min(1, { error: 'expected at least one reason' }).max(20),
    /** What a person should know of, by severity. */
    findings: z
      .array(z.strictObject({ title: Reason, severity: Severity }))
      .max(50)
      .default([]),
    angle: z.enum(ANGLES).default('fit'),
  })
  .refine(({ score, measured }) => (score === null) !== (measured === null), {
    error: 'expected either a score or a measured value',
  })
export type ScoreAnswer = z.infer<typeof ScoreAnswer>

/** Order of the activity `scoreCandidate`. */
export const ScoreOrder = z.object({
  run_id: z.string().min(1),
  judge: Judge.options[1],
  candidate: Candidate,
  limit_seconds: z.int().min(1).max(3600),
  allow_unsandboxed: z.boolean(),
})
export type ScoreOrder = z.infer<typeof ScoreOrder>

/** What history keeps: the first reasons and findings; `record` has all, with what the program printed. */
export const ScoreReply = z.object({
  score: ScoreAnswer.shape.score,
  measured: ScoreAnswer.shape.measured,
  reasons: z.array(Reason).max(3),
  findings: z.array(z.object({ title: Reason, severity: Severity })).max(5),
  /** Of all findings. */
  severities: z.object({ Critical: z.int(), Major: z.int(), Minor: z.int() }),
  angle: z.enum(ANGLES),
  record: Artifact,
  is_sandboxed: z.boolean(),
})
export type ScoreReply = z.infer<typeof ScoreReply>
