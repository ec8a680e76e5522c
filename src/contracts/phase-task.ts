import { z } from 'zod'
import type { TaskProgress } from '../rules/phase/decide-task.js'
import { AgentAssignments, AgentUsage } from './agent.js'
import { Artifact, RelativePath } from './artifact.js'
import { Budget } from './budget.js'
import { CommitId, RepositoryRef } from './git.js'
import { AgentResult } from './phase-agent-result.js'
import { BlockInfo } from './phase-answers.js'
import { ContextEntry, ProjectContext } from './phase-context.js'
import { QualityExtract } from './phase-quality.js'
import { ReviewExtract } from './phase-roles.js'
import { AgentType, Complexity, TaskId, TaskPhase } from './phase.js'
import { QualityConfig } from './quality.js'
import { TestName } from './test-name.js'

/** Of a task, what the scheduling of a run needs; the rest is in the plan's artifact. A hundred of them fit into a payload. */
export const TaskOutline = z.object({
  id: TaskId,
  title: z.string().max(50),
  dependencies: z.array(TaskId),
  priority: z.int().min(1).max(10),
  estimatedComplexity: Complexity,
  agentType: AgentType,
  /** A branch of its own. */
  isolated: z.boolean(),
  has_question: z.boolean(),
})
export type TaskOutline = z.infer<typeof TaskOutline>

/** What an agent did that was measured or judged not to be good, and was sent back. */
export const CaughtMistake = z.object({ phase: TaskPhase, what: z.string().max(200) })
export type CaughtMistake = z.infer<typeof CaughtMistake>

/** Where a task stands between two stretches of work on it: plain data, so that a task that waits is nothing that runs. */
export const TaskSnapshot = z.object({
  progress: z.custom<TaskProgress>(),
  /** Where its branch left the run's. */
  base: CommitId,
  /** The last commit of the task, green or red. */
  commit: CommitId,
  /** Where the phase began that it is in. */
  phase_start: CommitId,
  /** With the tests that were seen red; null while there are none. */
  red: CommitId.nullable(),
  /** The tester's files. */
  tests: z.array(RelativePath).max(500),
  /** Tests that were seen red. */
  red_tests: z.array(TestName).max(200),
  /** How often each step has been worked on: with the step's name it names the attempt. */
  rounds: z.record(z.string(), z.int()),
  entries: z.array(ContextEntry).max(100),
  /** What the next prompt is told of the last attempt: one line, and the whole report. */
  complaint: z.string().max(2_000).nullable(),
  report: Artifact.nullable(),
  research: Artifact.nullable(),
  conflicts: z.array(RelativePath).max(100),
  quality: QualityExtract.nullable(),
  review: ReviewExtract.nullable(),
  review_artifact: Artifact.nullable(),
  /** How the agents' parts ended, the last time of each phase; by phase. */
  results: z.record(z.string(), AgentResult),
  caught: z.array(CaughtMistake).max(10),
  /** Something of it ran without a sandbox. */
  unsandboxed: z.boolean(),
  /** The plan that a planner's task made. */
  nested: Artifact.nullable(),
})
export type TaskSnapshot = z.infer<typeof TaskSnapshot>

/** Input of the child workflow `taskPhases`. */
export const TaskOrder = z.object({
  /** Of the whole run. */
  run_id: z.string(),
  repository: RepositoryRef,
  /** The run's base. */
  config: CommitId,
  outline: TaskOutline,
  plan: Artifact,
  /** How many tasks the run has. */
  tasks: z.int(),
  quality: QualityConfig,
  project: ProjectContext,
  /** The run's global context as far as it is known now. */
  memory: z.string().max(12_000),
  guidance: z.array(z.string()).max(20),
  snapshot: TaskSnapshot,
  agents: AgentAssignments,
  budget: Budget,
  allow_unsandboxed: z.boolean(),
})
export type TaskOrder = z.infer<typeof TaskOrder>

/** How a stretch of work on a task ended. */
export const TaskEnd = z.object({
  /** `settled`: what comes next is for the run to do (merge, ask a person). */
  end: z.enum(['settled', 'exhausted', 'canceled']),
  snapshot: TaskSnapshot,
  usage: AgentUsage,
  /** True when an agent did not tell what it took. */
  untold: z.object({ tokens: z.boolean(), cost: z.boolean() }),
  /** Calls of agents that were begun. */
  rounds: z.int(),
  /** Why the budget ended it. */
  reason: z.string().max(500).nullable(),
  /** When a person is to be asked. */
  block: BlockInfo.nullable(),
})
export type TaskEnd = z.infer<typeof TaskEnd>
