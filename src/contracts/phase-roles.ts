import { z } from 'zod'
import { Artifact, RelativePath } from './artifact.js'
import { BlockInfo, Decision } from './phase-answers.js'
import { ProjectContext } from './phase-context.js'
import { Task, TaskId } from './phase.js'
import { GateName, GateStatus, QualityConfig } from './quality.js'

/** What every agent is told about a task. Together at most some 30 KB. */
export const TaskBrief = z.object({
  task: Task,
  project: ProjectContext,
  /** What the agents before have left (`getAccumulatedContext`). */
  memory: z.string().max(12_000),
  /** What earlier agents of this task suggest for this phase. */
  suggestions: z.array(z.string().max(600)).max(20),
  /** A person's words to this run, oldest first. */
  guidance: z.array(z.string().max(4_000)).max(20),
})
export type TaskBrief = z.infer<typeof TaskBrief>

const Attempt = {
  brief: TaskBrief,
  /** What was wrong with the attempt before, one line; null at the first. */
  complaint: z.string().max(2_000).nullable(),
  /** The whole of it: failures of tests, a quality report, a review. */
  report: Artifact.nullable(),
  /** A researcher's report on the question or the trouble. */
  research: Artifact.nullable(),
}

export const PlannerInput = z.object({
  instruction: z.string().min(1).max(20_000),
  project: ProjectContext,
  guidance: z.array(z.string().max(4_000)).max(20),
  /** For a planner's task within a plan: how many tasks the run has already, that one included. */
  nested_in: z.object({ task: TaskId, tasks: z.int() }).nullable(),
})
export type PlannerInput = z.infer<typeof PlannerInput>

export const TesterInput = z.object(Attempt)
export type TesterInput = z.infer<typeof TesterInput>

export const CoderInput = z.object({
  ...Attempt,
  /** The tester's files: to be read, never to be changed. */
  tests: z.array(RelativePath).max(500),
  why: z.enum(['first', 'again', 'diagnosed', 'gates', 'review', 'conflict', 'retry']),
  /** Files that git could not merge, when `why` is 'conflict'. */
  conflicts: z.array(RelativePath).max(100),
})
export type CoderInput = z.infer<typeof CoderInput>

export const ExecutorInput = z.object({
  brief: TaskBrief,
  quality: QualityConfig,
  /** As they were measured. */
  gates: z.array(z.object({ name: GateName, status: GateStatus, details: z.string().max(300) })).max(7),
})
export type ExecutorInput = z.infer<typeof ExecutorInput>

export const ReviewerInput = z.object({
  brief: TaskBrief,
  /** Files that the task has changed; the first of them. */
  changed: z.array(RelativePath).max(100),
  changed_files: z.int().min(0),
  diff: Artifact,
  /** `QualityReport` of Verify; null when the task has no Verify. */
  quality: Artifact.nullable(),
  /** Criteria that no test and no command could judge. */
  criteria: z.array(z.string().max(500)).max(30),
})
export type ReviewerInput = z.infer<typeof ReviewerInput>

export const ResearcherInput = z.object({
  brief: TaskBrief,
  question: z.string().min(1).max(4_000),
  /** What is to be diagnosed: reports of tests. */
  findings: Artifact.nullable(),
})
export type ResearcherInput = z.infer<typeof ResearcherInput>

/** What history keeps of a tester's or a coder's answer. */
export const ToldExtract = z.object({
  summary: z.string().max(500),
  decisions: z.array(Decision).max(5),
  suggestions: z
    .array(z.object({ suggestion: z.string().max(500), for: z.enum(['develop', 'verify', 'accept']) }))
    .max(5),
  files: z.array(z.object({ file: z.string().max(300), purpose: z.string().max(300) })).max(20),
  blocked: BlockInfo.nullable(),
})
export type ToldExtract = z.infer<typeof ToldExtract>

/** What a review came to by `judgeReview`; the whole of it is an artifact. */
export const ReviewExtract = z.object({
  outcome: z.enum(['approved', 'not_approved']),
  overallScore: z.int(),
  /** In the seed's order: codeQuality, bestPractices, security, documentation. */
  scores: z.object({ codeQuality: z.int(), bestPractices: z.int(), security: z.int(), documentation: z.int() }),
  blockers: z.array(z.string().max(500)).max(10),
  inconsistencies: z.array(z.string().max(300)).max(5),
  recommendations: z.array(z.string().max(300)).max(10),
})
export type ReviewExtract = z.infer<typeof ReviewExtract>

export const ResearchExtract = z.object({
  summary: z.string().max(600),
  recommendations: z.array(z.string().max(300)).max(10),
})
export type ResearchExtract = z.infer<typeof ResearchExtract>

/** Gates of which an executor says something else than was measured. */
export const ExecutorExtract = z.object({ disagreements: z.array(z.string().max(300)).max(7) })
export type ExecutorExtract = z.infer<typeof ExecutorExtract>
