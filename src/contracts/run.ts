import { z } from 'zod'
import { Artifact } from './artifact.js'
import { FAILURE_TYPES } from './failures.js'
import { OpenSpecEdit } from './openspec.js'

export const Pipeline = z.enum(['circt', 'phase', 'refine', 'review', 'eval'])
export type Pipeline = z.infer<typeof Pipeline>

/** The business key: names the run to people, and with the pipeline the Temporal workflow. */
export const RunKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,119}$/, {
  error: 'expected 1 to 120 letters, digits, dots, dashes, underscores or colons',
})
export type RunKey = z.infer<typeof RunKey>

export const StepStatus = z.enum(['pending', 'running', 'passed', 'failed', 'skipped', 'unavailable', 'canceled'])
export type StepStatus = z.infer<typeof StepStatus>

export const Step = z.object({
  name: z.string(),
  status: StepStatus,
  /** Starts at 1 with the first attempt; 0 while pending. Counts the workflow's own tries, not Temporal's retries of lost workers. */
  attempt: z.int().min(0),
  started_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
  /** One line for a person. */
  note: z.string().nullable(),
})
export type Step = z.infer<typeof Step>

export const QuestionOption = z.object({ key: z.string().min(1), label: z.string() })
export type QuestionOption = z.infer<typeof QuestionOption>

export const Question = z.object({
  id: z.string().min(1),
  kind: z.enum(['approval', 'information', 'choice', 'confirmation']),
  title: z.string(),
  detail: z.string(),
  options: z.array(QuestionOption),
  /** Key of the option, or free text for `information`, that stands when the deadline passes. */
  default: z.string(),
  deadline: z.iso.datetime(),
  /** Null while open. */
  answer: z.string().nullable(),
  answered_by: z.string().nullable(),
})
export type Question = z.infer<typeof Question>

export const Answer = z.object({
  question: z.string().min(1),
  /** Key of an option. */
  option: z.string().nullable().optional(),
  /** Free text, for `information` questions or as a remark. */
  text: z.string().max(10_000).nullable().optional(),
  by: z.string().max(200).nullable().optional(),
})
export type Answer = z.infer<typeof Answer>

export const Usage = z.object({ tokens: z.int().min(0), cost: z.number().min(0), seconds: z.number().min(0) })
export type Usage = z.infer<typeof Usage>

export const RunStatus = z.enum([
  'running',
  'waiting',
  'paused',
  'completed',
  'failed',
  'canceled',
  'aborted',
  'budget_exhausted',
])
export type RunStatus = z.infer<typeof RunStatus>

/** Scores by round, for pipelines that have some: drawn as a small chart. */
export const ScoreTable = z.object({
  /** In the order they are drawn; `least` is what the score has to reach, null where nothing is asked. */
  rows: z
    .array(z.object({ name: z.string().max(40), least: z.number().nullable(), scores: z.array(z.number()).max(1_000) }))
    .max(20),
  /** One word per round. */
  verdicts: z.array(z.string().max(40)).max(1_000),
  /** From 1; null while there is none. */
  best: z.int().min(1).nullable(),
})
export type ScoreTable = z.infer<typeof ScoreTable>

/** Answer of the query `state`. */
export const RunState = z.object({
  pipeline: Pipeline,
  run_id: z.string(),
  status: RunStatus,
  phase: z.string(),
  steps: z.array(Step),
  questions: z.array(Question),
  usage: Usage,
  artifacts: z.array(Artifact),
  verdict: z.string().nullable(),
  scores: ScoreTable.optional(),
  /** What the pipeline shows of itself in a terminal besides its steps: plain lines. */
  report: z.array(z.string().max(2_000)).max(500).optional(),
})
export type RunState = z.infer<typeof RunState>

/**
 * A file of the user's folder, as the run's state says it should be: an artifact, short text rendered from the state, or a person's file
 * with something of ours in it.
 */
export const ProjectedFile = z.union([
  z.object({ path: z.string(), artifact: Artifact }),
  z.object({ path: z.string(), text: z.string() }),
  z.object({ path: z.string(), openspec: OpenSpecEdit }),
])
export type ProjectedFile = z.infer<typeof ProjectedFile>

/** What every pipeline's input carries besides its own. */
export const RunOptions = z.object({
  /** How long a question waits for a person before its default stands; 0 takes every default at once. Seconds. */
  answer_within_seconds: z.int().min(0).max(31_536_000),
  /** True when the person agreed to run without a sandbox where none is to be had. */
  allow_unsandboxed: z.boolean(),
})
export type RunOptions = z.infer<typeof RunOptions>

export const RunFailure = z.object({
  type: z.enum(FAILURE_TYPES).or(z.string()),
  message: z.string(),
  step: z.string().nullable(),
})
export type RunFailure = z.infer<typeof RunFailure>

/** What `gauntlet run --json` prints and `gauntlet result` reads. */
export const ResultDocument = z.object({
  run_id: z.string(),
  workflow_id: z.string(),
  pipeline: Pipeline,
  status: z.enum(['completed', 'failed', 'canceled', 'aborted', 'budget_exhausted']),
  verdict: z.string(),
  reason: z.string(),
  result: z.unknown(),
  artifacts: z.array(Artifact),
  usage: Usage,
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
})
export type ResultDocument = z.infer<typeof ResultDocument>
