import { CancellationScope, condition, isCancellation, setHandler } from '@temporalio/workflow'
import type { TaskStatus } from '../contracts/phase.js'
import { readyTasks, type Scheduled, stuckTasks } from '../rules/phase/ready-tasks.js'
import { canMove } from '../rules/phase/task-status.js'
import { taskMovedSignal } from './messages.js'
import { askAboutTask } from './phase-blocked.js'
import { isStopping, type PhaseRun, type RunTask, setStatus } from './phase-run.js'
import { passOnWords } from './phase-words.js'
import { workOnTask } from './phase-work.js'
import { whilePaused } from './run.js'

/**
 * Works on all tasks until nothing goes on any more: ready ones are started, blocked ones ask a person while the others go on. When
 * the run is to stop, what is at work is stopped or, for want of budget, comes to its own end.
 */
export async function followTasks(phase: PhaseRun): Promise<void> {
  hearTasks(phase)
  const words = new CancellationScope({ cancellable: true })
  void words.run(() => passOnWords(phase)).catch(ignoreCancellation)
  while (!isStopping(phase)) {
    await whilePaused(phase.run)
    const seen = phase.moves
    for (const id of readyTasks(scheduled(phase), phase.input.parallel)) launch(phase, id, workOnTask)
    for (const task of blockedOnes(phase)) launch(phase, task.outline.id, askAboutTask)
    if (!isAnythingOn(phase)) break
    await condition(() => phase.moves !== seen || isStopping(phase))
  }
  await stopTasks(phase)
  words.cancel()
  markStuck(phase)
}

type Job = (phase: PhaseRun, task: RunTask) => Promise<void>

function launch(phase: PhaseRun, id: string, job: Job): void {
  const task = phase.tasks.get(id)
  if (task === undefined) throw new Error(`${id} is not in the plan`)
  const scope = new CancellationScope({ cancellable: true })
  task.scope = scope
  setStatus(task, job === workOnTask ? 'scheduled' : 'waiting')
  void scope
    .run(() => job(phase, task))
    .catch(ignoreCancellation)
    .finally(() => {
      task.scope = null
      phase.moves += 1
    })
}

function ignoreCancellation(error: unknown): void {
  if (!isCancellation(error)) throw error
}

function scheduled({ tasks }: PhaseRun): Scheduled[] {
  return [...tasks.values()].map(({ outline, status }) => ({
    id: outline.id,
    dependencies: outline.dependencies,
    priority: outline.priority,
    isolation: outline.isolated ? 'worktree' : undefined,
    status,
  }))
}

function blockedOnes({ tasks }: PhaseRun): RunTask[] {
  return [...tasks.values()].filter(({ status, isGivenUp }) => status === 'blocked' && !isGivenUp)
}

function isAnythingOn({ tasks }: PhaseRun): boolean {
  return [...tasks.values()].some(({ scope }) => scope !== null)
}

/** Questions are closed at once. Work is cancelled too, but for want of budget it comes to the end of what it was lent. */
export async function stopTasks(phase: PhaseRun): Promise<void> {
  const { run, tasks } = phase
  for (const { scope, status } of tasks.values())
    if (status === 'waiting' || run.abortReason !== null || phase.isCanceled) scope?.cancel()
  await CancellationScope.nonCancellable(() => condition(() => !isAnythingOn(phase)))
}

function markStuck(phase: PhaseRun): void {
  const { run, tasks } = phase
  const all = scheduled(phase)
  const given = new Set(
    [...tasks.values()].filter(({ status }) => status === 'blocked').map(({ outline }) => outline.id),
  )
  for (const [id, cause] of stuckTasks(all, given)) {
    const task = tasks.get(id)
    if (task === undefined) continue
    task.note = `not started: ${cause}, which it depends on, was not completed`
    task.block = { reason: task.note, type: 'dependency', missingInfo: [cause] }
    run.mark(id, 'skipped', task.note)
  }
}

const AT_WORK: readonly TaskStatus[] = ['scheduled', 'in_progress', 'verify', 'accept']

/** Signals may come from anybody: one that does not fit is not heard. */
function hearTasks(phase: PhaseRun): void {
  setHandler(taskMovedSignal, (move) => {
    const task = phase.tasks.get(move?.task)
    if (task === undefined || task.childId === null) return
    const isFitting = AT_WORK.includes(move.status) && AT_WORK.includes(task.status)
    if (isFitting && canMove(task.status, move.status)) setStatus(task, move.status)
    if (typeof move.note === 'string') phase.run.note(task.outline.id, move.note.slice(0, 200))
  })
}
