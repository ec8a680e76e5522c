import { z } from 'zod'
import { AgentOptions, AgentUsage } from './agent.js'
import { Artifact, RelativePath } from './artifact.js'
import { CommitId, CommitStamp, FileChange, RepositoryRef } from './git.js'
import { BlockInfo } from './phase-answers.js'
import { ProjectContext } from './phase-context.js'
import { QualityExtract } from './phase-quality.js'
import { CaughtMistake, TaskOutline } from './phase-task.js'
import { AgentType, TaskId } from './phase.js'
import { QualityConfig, QualityLevel, QualityReport } from './quality.js'
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
  /** Ends with the plan. */
  plan_only: z.boolean(),
  input_digest: z.string().max(64),
})
export type PhaseInput = z.infer<typeof PhaseInput>

/** A plan that can be followed: its outline, and the whole of it as a JSON array of tasks. */
export const LoadedPlan = z.object({ tasks: z.array(TaskOutline), plan: Artifact })
export type LoadedPlan = z.infer<typeof LoadedPlan>

const Place = { run_id: z.string(), repository: RepositoryRef }

/** Order of `preparePhase`. */
export const PreparePhaseOrder = z.object({ ...Place, base: CommitId, quality: QualityLevel.nullable() })
export type PreparePhaseOrder = z.infer<typeof PreparePhaseOrder>

/** What the engine found in the base commit: nothing a run's agents change can alter it. */
export const PhaseProject = z.object({ quality: QualityConfig, context: ProjectContext })
export type PhaseProject = z.infer<typeof PhaseProject>

/** Order of `loadPlan`: of a planner, or of a person's file. */
export const LoadPlanOrder = z.object({ plan: Artifact, isolation: z.enum(['auto', 'always']) })
export type LoadPlanOrder = z.infer<typeof LoadPlanOrder>

/** Order of `nestPlan`: puts `nested` into `plan` in the place of the planner's task. */
export const NestPlanOrder = LoadPlanOrder.extend({ task: TaskId, nested: Artifact })
export type NestPlanOrder = z.infer<typeof NestPlanOrder>

/** Order of `readTask`. */
export const ReadTaskOrder = z.object({ plan: Artifact, task: TaskId })
export type ReadTaskOrder = z.infer<typeof ReadTaskOrder>

/** Order of `describeChanges`; `name` is the diff's, as an artifact. */
export const DescribeChangesOrder = z.object({ ...Place, from: CommitId, to: CommitId, name: RelativePath })
export type DescribeChangesOrder = z.infer<typeof DescribeChangesOrder>

export const DescribedChanges = z.object({
  changes: z.array(FileChange).max(100),
  changed_files: z.int().min(0),
  diff: Artifact,
})
export type DescribedChanges = z.infer<typeof DescribedChanges>

/** Order of `mergeTask`: what comes out is published at `step` and `round`, once. */
export const MergeTaskOrder = z.object({
  ...Place,
  step: z.string(),
  round: z.int().min(1),
  ours: CommitId,
  theirs: CommitId,
  message: z.string().max(500),
  stamp: CommitStamp,
})
export type MergeTaskOrder = z.infer<typeof MergeTaskOrder>

export const MergedTask = z.discriminatedUnion('status', [
  z.object({ status: z.literal('merged'), commit: CommitId }),
  z.object({ status: z.literal('conflict'), files: z.array(RelativePath).max(100) }),
])
export type MergedTask = z.infer<typeof MergedTask>

/** Order of `publishBranch`: 'refs/heads/gauntlet/RUN/NAME' is what people fetch. */
export const PublishBranchOrder = z.object({ ...Place, name: z.string(), commit: CommitId })
export type PublishBranchOrder = z.infer<typeof PublishBranchOrder>

export const PublishedBranch = z.object({ branch: z.string() })
export type PublishedBranch = z.infer<typeof PublishedBranch>

/** `result.tasks` of the result document. */
export const TaskRecord = z.object({
  id: TaskId,
  title: z.string(),
  agentType: AgentType,
  status: z.enum(['completed', 'blocked', 'skipped', 'failed', 'unfinished', 'not_started']),
  /** One line: why it is not completed, or what came out. */
  note: z.string().max(300),
  commit: CommitId.nullable(),
  /** True only when new tests of the task were seen to fail by assertion. */
  seen_red: z.boolean(),
  quality: z.object({ overallStatus: QualityReport.shape.overallStatus, report: Artifact }).nullable(),
  review: z
    .object({ outcome: z.enum(['approved', 'not_approved']), overallScore: z.int(), answer: Artifact })
    .nullable(),
  block: BlockInfo.nullable(),
  /** Of all its agents' calls. */
  usage: AgentUsage,
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
  /** In the order they were made; `task` is null for the plan. */
  caught: z.array(CaughtMistake.extend({ task: TaskId.nullable() })).max(100),
  notes: z.array(z.string()),
})
export type PhaseResult = z.infer<typeof PhaseResult>
