import type { LoadedPlan, NestPlanOrder } from '../contracts/phase-run.js'
import type { TaskOutline, TaskSnapshot } from '../contracts/phase-task.js'
import { blockOf } from '../rules/phase/block-of.js'
import { completionNote } from '../rules/phase/completion-note.js'
import { advanceTask } from '../rules/phase/decide-task.js'
import { tryOnce } from './attempt.js'
import { mergeInto, whileMerging } from './phase-merge.js'
import { blockTask, openTask, type PhaseRun, type RunTask, setStatus } from './phase-run.js'

/** Merges what a completed task has made, or puts its plan into the run's. `again`: the coder is to resolve a conflict. */
export async function completeTask(phase: PhaseRun, task: RunTask): Promise<'over' | 'again'> {
  const { snapshot } = task
  if (snapshot === null) throw new Error(`${task.outline.id} is completed without having been started`)
  return await whileMerging(phase, async () => {
    if (task.outline.agentType === 'planner') return await nest(phase, task, snapshot)
    if (task.outline.agentType === 'tester' || snapshot.commit === snapshot.base) return close(phase, task, snapshot)
    return await merge(phase, task, snapshot)
  })
}

/** Accepted work that started from where the run's branch still is simply moves it. */
async function merge(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): Promise<'over' | 'again'> {
  const isAhead = snapshot.base === phase.head
  const merged = isAhead
    ? ({ status: 'merged', commit: snapshot.commit } as const)
    : await mergeInto(phase, task, { ours: phase.head, theirs: snapshot.commit })
  if (merged.status === 'failed') return askAbout(phase, task, { snapshot, problem: merged.problem })
  if (merged.status === 'conflict') return resolve(phase, task, { ...snapshot, conflicts: merged.files })
  phase.head = merged.commit
  return close(phase, task, snapshot)
}

function close(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): 'over' {
  task.note = completionNote(task.outline, snapshot)
  setStatus(task, 'completed')
  phase.run.mark(task.outline.id, 'passed', task.note)
  return 'over'
}

/** To the coder once, then to a person. */
function resolve(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): 'over' | 'again' {
  const problem = `could not be merged: ${snapshot.conflicts.slice(0, 10).join(', ')}`
  const progress = advanceTask(snapshot.progress, { kind: 'unmerged', because: 'conflict' })
  task.snapshot = { ...snapshot, progress, complaint: problem }
  task.start = 'conflict'
  phase.run.note(task.outline.id, problem)
  if (progress.action.do !== 'ask') return 'again'
  blockTask(phase, task, blockOf({ ask: progress.action, complaint: problem, said: null }))
  return 'over'
}

/** Git itself failed: the same merge may well succeed later. */
function askAbout(
  phase: PhaseRun,
  task: RunTask,
  { snapshot, problem }: { snapshot: TaskSnapshot; problem: string },
): 'over' {
  const progress = advanceTask(snapshot.progress, { kind: 'unmerged', because: 'failed' })
  task.snapshot = { ...snapshot, progress, complaint: problem }
  blockTask(phase, task, { reason: `could not be merged: ${problem}`, type: 'decision', missingInfo: [] })
  return 'over'
}

/** The tasks that a planner's task has planned join the run; who waited for it waits for them. */
async function nest(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): Promise<'over'> {
  const { run, input, plan } = phase
  const { nested } = snapshot
  if (plan === null || nested === null) throw new Error(`${task.outline.id} has planned nothing`)
  const order: NestPlanOrder = { plan, isolation: input.isolation, task: task.outline.id, nested }
  const call = {
    step: task.outline.id,
    activity: 'nestPlan',
    input: order,
    summary: `nest: ${task.outline.id}`,
  } as const
  const loaded = await tryOnce<NestPlanOrder, LoadedPlan>(call)
  if (loaded.status !== 'passed')
    return refuseNested(phase, task, loaded.status === 'failed' ? loaded.failure.message : 'stopped')
  phase.plan = loaded.value.plan
  for (const outline of loaded.value.tasks) takeOutline(phase, outline)
  run.plan(loaded.value.tasks.map(({ id }) => id))
  run.keep([{ ...loaded.value.plan, name: '.openmatrix/plan.json' }])
  return close(phase, task, snapshot)
}

/** What is known of a task already stays; only what it waits for may have grown. */
function takeOutline({ tasks }: PhaseRun, outline: TaskOutline): void {
  const known = tasks.get(outline.id)
  if (known === undefined) tasks.set(outline.id, openTask(outline))
  else known.outline = outline
}

function refuseNested(phase: PhaseRun, task: RunTask, problem: string): 'over' {
  task.note = `its plan could not be taken: ${problem}`.slice(0, 300)
  setStatus(task, 'failed')
  phase.run.mark(task.outline.id, 'failed', task.note)
  return 'over'
}
