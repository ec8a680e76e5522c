import { z } from 'zod'
import { AgentOptions } from './agent.js'
import { Dimension, Lang, Preset, Recommendation, Thresholds, Weights } from './aggregate.js'
import { Artifact } from './artifact.js'
import { CommitId, RepositoryRef } from './git.js'
import { OpenSpecChange } from './openspec.js'
import { RefineTechStack } from './refine-answers.js'
import { RunKey, RunOptions } from './run.js'

/** By what the rounds are judged; echoed in the result. */
const Settings = { preset: Preset, thresholds: Thresholds, weights: Weights }

/** Input of the workflow `refineLoop`. */
export const RefineInput = z.object({
  /** Business key. */
  key: RunKey,
  /** What is to be built or mended: the whole text, and one line of it for people. */
  requirement: Artifact,
  title: z.string().min(1).max(200),
  repository: RepositoryRef,
  /** Where the first round starts. */
  base: CommitId,
  /** What all rounds are measured against: `base`, or an earlier commit when a branch is to be judged with what it holds already. */
  against: CommitId,
  /** Null: detected from the repository, and a person is asked where that says nothing. */
  tech_stack: RefineTechStack.nullable(),
  openspec: OpenSpecChange.nullable(),
  ...Settings,
  lang: Lang,
  ...AgentOptions.shape,
  ...RunOptions.shape,
  /** Of everything that says what the run is about, by the CLI. */
  input_digest: z.string().max(64),
})
export type RefineInput = z.infer<typeof RefineInput>

/** 0 to 100, as it was given: decisions are made on it, and rounding is for showing. */
const Score = z.number().min(0).max(100)
const Scores = z.object({ security: Score, quality: Score, performance: Score })
const Count = z.int().min(0)

/** A Critical issue of one round, as far as it takes to know it again in the next. */
export const CriticalSighting = z.object({
  type: z.string().max(80),
  file: z.string().max(300),
  line: z.int().min(1).nullable(),
  /** Of the line's text without its blanks; null where the line is not known. */
  digest: z.string().max(64).nullable(),
})
export type CriticalSighting = z.infer<typeof CriticalSighting>

/** One round as history keeps it: what was decided, and where the whole of it lies. */
export const RefineRound = z.object({
  round: z.int().min(1),
  commit: CommitId,
  /** Files that differ from `against`. */
  changed_files: Count,
  /** True when the writer left the code as it was: the reviews are then those of the round before. */
  is_unchanged: z.boolean(),
  scores: Scores,
  /** To nine decimals: what the next round's progress is measured from. */
  overall: Score,
  recommendation: Recommendation,
  issue_counts: z.object({ critical: Count, high: Count, medium: Count, low: Count }),
  reason: z.string().max(1_000),
  next_action: z.string().max(1_000),
  criticals: z.array(CriticalSighting).max(30),
  /** Where a review contradicts itself, or the code: one line each. */
  inconsistencies: z.array(z.string().max(300)).max(12),
  /** Issues left out because what they say of the code is not so. */
  refuted: Count,
  /** First lines of what the writer says it did. */
  changes: z.array(z.string().max(200)).max(10),
  feedback: Artifact,
  aggregate: Artifact,
  reviews: z.record(Dimension, Artifact),
  ended_at: z.iso.datetime(),
})
export type RefineRound = z.infer<typeof RefineRound>

/** What is wrong with the course of the rounds, besides their scores. */
export const RefineAlarms = z.object({
  /** Critical issues that were there in each of the last three rounds: 'SQL_INJECTION src/db.py:42'. */
  persisting: z.array(z.string().max(500)).max(30),
  /** The last three overall scores lie within six points. */
  oscillating: z.boolean(),
  /** Dimensions that lost more than ten points in the last round. */
  regressions: z.array(z.object({ dimension: Dimension, from: Score, to: Score })).max(3),
})
export type RefineAlarms = z.infer<typeof RefineAlarms>

export const RefineVerdict = z.enum([...Recommendation.exclude(['ITERATE']).options, 'budget_exhausted', 'error'])
export type RefineVerdict = z.infer<typeof RefineVerdict>

/** `result` of the result document. */
export const RefineResult = z.object({
  key: RunKey,
  title: z.string(),
  base: CommitId,
  against: CommitId,
  tech_stack: RefineTechStack.nullable(),
  /** Null before the first round was judged. */
  best_round: z.int().min(1).nullable(),
  /** Of the best round; the branch in the run repository points at it. Null when a person wanted none of it. */
  commit: CommitId.nullable(),
  branch: z.string().nullable(),
  repository: RepositoryRef,
  /** Without what only the next round needs; the whole of a round is in its artifacts. */
  rounds: z.array(RefineRound.omit({ criticals: true })),
  alarms: RefineAlarms,
  preset: Preset,
  thresholds_used: Thresholds,
  weights_used: Weights,
  /** Rounds a person granted beyond those of the thresholds the run began with. */
  granted_rounds: Count,
  openspec: z.object({ change: z.string(), task: z.string().nullable(), is_ticked: z.boolean() }).nullable(),
  /** Of a script: answers nobody asked for. */
  leftovers: z.array(z.string()),
})
export type RefineResult = z.infer<typeof RefineResult>

/** Order of the activity `judgeRound`: rules over whole answers run there. */
export const JudgeOrder = z.object({
  run_id: z.string(),
  round: z.int().min(1),
  repository: RepositoryRef,
  commit: CommitId,
  tech_stack: RefineTechStack,
  /** Answers of the three reviewers. */
  reviews: z.record(Dimension, Artifact),
  /** Of the rounds before, oldest first, as they were decided on. */
  previous_scores: z.array(Score).max(1_000),
  thresholds: Thresholds,
  weights: Weights,
  lang: Lang,
})
export type JudgeOrder = z.infer<typeof JudgeOrder>

export const RoundJudgement = RefineRound.pick({
  scores: true,
  overall: true,
  recommendation: true,
  issue_counts: true,
  reason: true,
  next_action: true,
  criticals: true,
  inconsistencies: true,
  refuted: true,
  feedback: true,
  aggregate: true,
})
export type RoundJudgement = z.infer<typeof RoundJudgement>

/** Order of the activity `measureChange`. */
export const ChangeOrder = z.object({
  run_id: z.string(),
  round: z.int().min(1),
  repository: RepositoryRef,
  from: CommitId,
  to: CommitId,
})
export type ChangeOrder = z.infer<typeof ChangeOrder>

export const MeasuredChange = z.object({
  /** All files that differ. */
  changed_files: Count,
  /** Of them, those that are there to be judged. */
  files: Count,
  /** First paths. */
  paths: z.array(z.string().max(300)).max(20),
  scope: Artifact,
  diff: Artifact,
})
export type MeasuredChange = z.infer<typeof MeasuredChange>

/** Order of the activity `detectTechStack`. */
export const DetectOrder = z.object({ run_id: z.string(), repository: RepositoryRef, commit: CommitId })
export type DetectOrder = z.infer<typeof DetectOrder>

/** Null: nothing in the repository says what it is written in. */
export const DetectedTechStack = z.object({ tech_stack: RefineTechStack.nullable() })
export type DetectedTechStack = z.infer<typeof DetectedTechStack>

/** Order of the activity `keepBranch`, at the end: the best round's commit gets a name. */
export const BranchOrder = z.object({ run_id: z.string(), repository: RepositoryRef, commit: CommitId })
export type BranchOrder = z.infer<typeof BranchOrder>

export const KeptBranch = z.object({ branch: z.string() })
export type KeptBranch = z.infer<typeof KeptBranch>
