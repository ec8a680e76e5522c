import { z } from 'zod'
import { AgentOptions } from './agent.js'
import { Artifact, RelativePath } from './artifact.js'
import { CommitId, RepositoryRef } from './git.js'
import { BlockInfo } from './phase-answers.js'
import { ContextEntry, ProjectContext } from './phase-context.js'
import { ReviewExtract } from './phase-roles.js'
import { AgentType, Complexity, TaskId, TaskPhase } from './phase.js'
import { CriterionResult, QualityConfig, QualityLevel, QualityReport } from './quality.js'
import { RunKey, RunOptions } from './run.js'

export const ApprovalPoint = z.enum(['plan', 'merge'])
export type ApprovalPoint = z.infer<typeof ApprovalPoint>

export const PhaseInput = z.object({
  ...RunOptions.shape,
  ...AgentOptions.shape,
  key: RunKey,
  /** What the person wants, in their words. */
  instruction: z.string().min(1).max(20_000),
  /** The run repository; `base` is in it. */
  repository: RepositoryRef,
  base: CommitId,
  /** JSON array of tasks (`Plan`) that takes the planner's place. */
  plan: Artifact.nullable(),
  /** Null takes the project's own, else strict. */
  quality: QualityLevel.nullable(),
  isolation: z.enum(['auto', 'always']),
  /** Tasks at work at once. */
  parallel: z.int().min(1).max(16),
  approvals: z.array(ApprovalPoint).max(2),
  input_digest: z.string().max(64),
})
export type PhaseInput = z.infer<typeof PhaseInput>

/** Of a task, what the scheduling of a run needs; the rest is in the plan's artifact. A hundred of them fit into a payload. */
export const TaskOutline = z.object({
  id: TaskId,
  title: z.string().max(50),
  dependencies: z.array(TaskId),
  priority: z.int().min(1).max(10),
  estimatedComplexity: Complexity,
  agentType: AgentType,
  isolated: z.boolean(),
  has_question: z.boolean(),
})
export type TaskOutline = z.infer<typeof TaskOutline>

/** A plan that can be followed: its outline, and the whole of it as a JSON array of tasks. */
export const LoadedPlan = z.object({ tasks: z.array(TaskOutline), plan: Artifact })
export type LoadedPlan = z.infer<typeof LoadedPlan>

/** What the engine found in the base commit: nothing a run's agents change can alter it. */
export const PhaseProject = z.object({ quality: QualityConfig, context: ProjectContext })
export type PhaseProject = z.infer<typeof PhaseProject>

/** What history keeps of a `QualityReport`; the whole of it is an artifact. */
export const QualityExtract = QualityReport.pick({ overallStatus: true, score: true, isSandboxed: true }).extend({
  reasons: z.array(z.string().max(400)).max(20),
  /** '12 passed, 0 failed', '85 % of lines', …: for people, by gate. */
  gates: z.array(z.object({ name: z.string(), status: z.string(), details: z.string().max(200) })),
  criteria: z.array(CriterionResult).max(30),
  report: Artifact,
})
export type QualityExtract = z.infer<typeof QualityExtract>

/** How a run of the project's tests was judged, for RED or GREEN. */
export const TestVerdict = z.object({
  outcome: z.string().max(30),
  sentence: z.string().max(2_000),
  failing: z.int().min(0),
  /** Names, files and first lines of failures, for the next prompt. */
  report: Artifact,
  is_sandboxed: z.boolean(),
})
export type TestVerdict = z.infer<typeof TestVerdict>

/** Where a task stands between two stretches of work on it: plain data, so that a task that waits is nothing that runs. */
export const TaskSnapshot = z.object({
  /** `TaskProgress` of rules/phase/decide-task.ts. */
  progress: z.looseObject({ phase: TaskPhase, phases: z.array(TaskPhase) }),
  /** The last commit of the task, green or red. */
  commit: CommitId,
  /** Where its branch left the run's. */
  base: CommitId,
  /** The tester's files. */
  tests: z.array(RelativePath).max(500),
  /** How often each step has been worked on: with the step's name it names the attempt. */
  rounds: z.record(z.string(), z.int()),
  entries: z.array(ContextEntry).max(200),
  /** What the next prompt is told of the last attempt: one line, and the whole report. */
  complaint: z.string().max(2_000).nullable(),
  report: Artifact.nullable(),
  /** Of the researcher, asked first or to diagnose. */
  research: Artifact.nullable(),
  quality: QualityExtract.nullable(),
  review: ReviewExtract.nullable(),
  review_artifact: Artifact.nullable(),
})
export type TaskSnapshot = z.infer<typeof TaskSnapshot>

/** `result.tasks` of the result document. */
export const TaskRecord = z.object({
  id: TaskId,
  title: z.string(),
  agentType: AgentType,
  status: z.enum(['completed', 'blocked', 'skipped', 'failed', 'not_started']),
  /** One line: why it is not completed, or what came out. */
  note: z.string(),
  commit: CommitId.nullable(),
  /** True only when new tests of the task were seen to fail by assertion. */
  seen_red: z.boolean(),
  quality: QualityExtract.nullable(),
  review: ReviewExtract.nullable(),
  review_artifact: Artifact.nullable(),
  block: BlockInfo.nullable(),
})
export type TaskRecord = z.infer<typeof TaskRecord>

/** `result` of the result document. */
export const PhaseResult = z.object({
  /** Of the run repository; null when nothing was merged. */
  branch: z.string().nullable(),
  base: CommitId,
  commit: CommitId,
  plan: Artifact.nullable(),
  tasks: z.array(TaskRecord),
  /** Of the gates on the merged result; null when it has no change, or the run did not come so far. */
  quality: QualityExtract.nullable(),
  notes: z.array(z.string()),
})
export type PhaseResult = z.infer<typeof PhaseResult>

export const TaskOf = z.object({ plan: Artifact, id: TaskId })
export type TaskOf = z.infer<typeof TaskOf>
