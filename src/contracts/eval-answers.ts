import { z } from 'zod'
import { ANGLES, ATTACK_QUESTIONS, SEVERITIES } from '../rules/eval/words.js'
import { Artifact } from './artifact.js'
import { Criterion } from './eval.js'
import { Confidence } from './votes.js'

const Line = z.string().trim().min(1, { error: 'expected text' }).max(1000)
const Text = z.string().trim().min(1, { error: 'expected text' }).max(4000)

export const Severity = z.enum(SEVERITIES)
export type Severity = z.infer<typeof Severity>

/** A candidate as a judge sees it: under the label of its own view. */
export const ShownCandidate = z.object({
  label: z.string().min(1),
  kind: z.enum(['text', 'folder']),
  content: Artifact,
})
export type ShownCandidate = z.infer<typeof ShownCandidate>

const common = {
  evaluator_id: z.string(),
  criteria: z.array(Criterion),
  /** What people said on the way. */
  guidance: z.array(z.string()),
}

/** Round 1: everybody, in the order to be read. */
export const ScreeningInput = z.object({
  ...common,
  candidates: z.array(ShownCandidate),
  max_elimination: z.literal(1),
})
export type ScreeningInput = z.infer<typeof ScreeningInput>

export const Screening = z.object({
  /** Labels in the order they were read. */
  reading_order_confirmed: z.array(z.string()),
  quick_assessments: z.record(
    z.string(),
    z.object({
      summary: Line,
      score: z.number().min(1).max(10),
      strengths: z.array(Line).max(5),
      weaknesses: z.array(Line).max(5),
    }),
  ),
  elimination_decision: z.object({
    /** A label, or null: nobody. */
    eliminated: z.string().nullable(),
    reason: Line,
    confidence: Confidence,
    /** By how much the eliminated one is worse than the next, on the scale of the scores. */
    margin: z.number().min(0).max(9).nullable(),
  }),
})
export type Screening = z.infer<typeof Screening>

/** Round 2: one candidate. */
export const AnalysisInput = z.object({
  ...common,
  candidate: ShownCandidate,
  analysis_angles: z.array(z.enum(ANGLES)),
  /** What round 1 said of it. */
  context: z.array(z.string()),
})
export type AnalysisInput = z.infer<typeof AnalysisInput>

/** Words of the candidate itself, so that they can be looked for there. */
const Quote = z.string().trim().min(1).max(500)

const Defect = z.object({
  id: z.string().min(1).max(20),
  title: Line,
  severity: Severity,
  category: z.enum(ANGLES),
  description: Text,
  impact: Line,
  mitigation: Line,
  evidence: z.array(Quote).min(1, { error: 'expected at least one quotation from the candidate' }).max(5),
})

export const DefectAnalysis = z.object({
  defects: z.array(Defect).max(5),
  /** Angles looked at where nothing was found, with what was looked at. */
  none_found: z.array(z.object({ angle: z.enum(ANGLES), evidence: z.array(Quote).min(1).max(5) })).max(ANGLES.length),
  overall_score: z.object({
    total: z.number().min(0).max(10),
    by_angle: z.partialRecord(z.enum(ANGLES), z.number().min(0).max(10)),
  }),
  strengths: z.array(Line).max(3),
})
export type DefectAnalysis = z.infer<typeof DefectAnalysis>

/** Round 3: one leader. */
export const AttackInput = z.object({ ...common, candidate: ShownCandidate, known_defects: z.array(z.string()) })
export type AttackInput = z.infer<typeof AttackInput>

const AttackAnswer = z.object({
  /** In words, also when nothing was found: then why not. */
  answer: Text,
  items: z.array(z.object({ title: Line, severity: Severity })).max(5),
})

export const Attack = z.object({
  attack_report: z.object(
    Object.fromEntries(ATTACK_QUESTIONS.map((question) => [question, AttackAnswer])) as Record<
      (typeof ATTACK_QUESTIONS)[number],
      typeof AttackAnswer
    >,
  ),
  final_judgment: z.object({
    recommendation: z.enum(['eliminate', 'continue', 'require_mitigation']),
    critical_defect_count: z.int().min(0),
    confidence: Confidence,
    reason: Line,
  }),
})
export type Attack = z.infer<typeof Attack>

/** Round 4: the leader once more. */
export const ReviewInput = z.object({ ...common, candidate: ShownCandidate, findings: z.array(z.string()) })
export type ReviewInput = z.infer<typeof ReviewInput>

export const FinalReview = z.object({
  checklist: z
    .array(z.object({ item: Line, status: z.enum(['pass', 'warning', 'fail']), note: Line }))
    .min(1)
    .max(30),
  verdict: z.enum(['qualified', 'needs_mitigation', 'disqualified']),
  reason: Line,
})
export type FinalReview = z.infer<typeof FinalReview>

/** Round 4: somebody who was voted out, beside the best of those who stayed. */
export const ResurrectionInput = z.object({
  ...common,
  eliminated: ShownCandidate,
  reasons: z.array(z.string()),
  survivor: ShownCandidate,
  survivor_defects: z.array(z.string()),
})
export type ResurrectionInput = z.infer<typeof ResurrectionInput>

export const Resurrection = z.object({
  decision: z.enum(['resurrect', 'stay_eliminated', 'needs_review']),
  reason: Line,
  confidence: Confidence,
})
export type Resurrection = z.infer<typeof Resurrection>
