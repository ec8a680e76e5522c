import type { CancellationScope } from '@temporalio/workflow'
import type { AgentUsage } from '../contracts/agent.js'
import type { Artifact } from '../contracts/artifact.js'
import type { CommitId } from '../contracts/git.js'
import type { BlockInfo } from '../contracts/phase-answers.js'
import type { QualityExtract } from '../contracts/phase-quality.js'
import type { PhaseInput, PhaseProject } from '../contracts/phase-run.js'
import type { CaughtMistake, TaskOutline, TaskSnapshot } from '../contracts/phase-task.js'
import type { TaskStatus } from '../contracts/phase.js'
import type { RunFailure } from '../contracts/run.js'
import { NO_USAGE } from '../rules/budget.js'
import { appendContext, type Memory } from '../rules/phase/context-manager.js'
import { moveTask } from '../rules/phase/task-status.js'
import type { Asking } from './ask-role.js'
import type { Run } from './run.js'

/** One task of a run, whether it is worked on or not. */
export interface RunTask {
  outline: TaskOutline
  status: TaskStatus
  /** Null until it was started once. */
  snapshot: TaskSnapshot | null
  block: BlockInfo | null
  /** One line for people. */
  note: string
  /** Of all its stretches of work. */
  usage: AgentUsage
  /** What must be made ready before it is worked on: its first commit, or the one it is to resolve a conflict on. */
  start: 'fresh' | 'conflict' | 'ready'
  /** Nobody will answer any more: it stays blocked. */
  isGivenUp: boolean
  /** Stretches of work, questions and merges so far: they name what comes next. */
  counts: { stretches: number; questions: number; merges: number }
  /** How to stop what goes on for it; null when nothing does. */
  scope: CancellationScope | null
  /** Of the child workflow at work; null when none is. */
  childId: string | null
}

/** A phase run while it is under way. */
export interface PhaseRun {
  run: Run
  input: PhaseInput
  asking: Asking
  /** Null until it was looked at. */
  project: PhaseProject | null
  /** Null until there is one that can be followed. */
  plan: Artifact | null
  tasks: Map<string, RunTask>
  /** Of the run's branch. */
  head: CommitId
  memory: Memory
  /** One merge at a time: each starts from what the one before has made. */
  isMerging: boolean
  /** Counts what has come to an end, so that the main loop knows when to look again. */
  moves: number
  quality: QualityExtract | null
  branch: string | null
  refused: 'plan' | 'merge' | null
  /** In making the plan. */
  caught: CaughtMistake[]
  notes: string[]
  /** Why the run itself could not go on; null while it can. */
  failure: RunFailure | null
  /** Through Temporal. */
  isCanceled: boolean
}

export function openPhase({ run, input, asking }: Pick<PhaseRun, 'run' | 'input' | 'asking'>): PhaseRun {
  return {
    run,
    input,
    asking,
    project: null,
    plan: null,
    tasks: new Map(),
    head: input.base,
    memory: [],
    isMerging: false,
    moves: 0,
    quality: null,
    branch: null,
    refused: null,
    caught: [],
    notes: [],
    failure: null,
    isCanceled: false,
  }
}

/** Nothing more is begun: a person has said so, the budget is used up, or the run cannot go on. */
export function isStopping({ run, asking, failure, refused }: PhaseRun): boolean {
  return run.abortReason !== null || asking.purse.exhausted !== null || failure !== null || refused !== null
}

export function openTask(outline: TaskOutline): RunTask {
  const counts = { stretches: 0, questions: 0, merges: 0 }
  const unstarted = { snapshot: null, block: null, scope: null, childId: null, usage: NO_USAGE }
  return { outline, status: 'pending', note: '', start: 'fresh', isGivenUp: false, counts, ...unstarted }
}

export function setStatus(task: RunTask, status: TaskStatus): void {
  task.status = moveTask(task.status, status)
}

/** A person is asked next; until then the task holds no place. */
export function blockTask(phase: PhaseRun, task: RunTask, block: BlockInfo): void {
  task.block = block
  task.note = `blocked: ${block.reason}`.slice(0, 300)
  setStatus(task, 'blocked')
  phase.run.note(task.outline.id, task.note)
}

/** What a task has left joins the memory of the run; entries that are there already are not written again. */
export function keepSnapshot(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): void {
  task.snapshot = snapshot
  phase.memory = appendContext(phase.memory, snapshot.entries)
  phase.run.keep(artifactsOf(task.outline.id, snapshot))
}

function artifactsOf(id: string, { quality, review_artifact: review }: TaskSnapshot): Artifact[] {
  const folder = `.openmatrix/tasks/${id}`
  return [
    ...(quality === null ? [] : [{ ...quality.report, name: `${folder}/verify.json` }]),
    ...(review === null ? [] : [{ ...review, name: `${folder}/accept.json` }]),
  ]
}
