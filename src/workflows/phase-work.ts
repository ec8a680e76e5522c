import { isCancellation, startChild, workflowInfo } from '@temporalio/workflow'
import type { Budget } from '../contracts/budget.js'
import type { TaskEnd, TaskOrder, TaskSnapshot } from '../contracts/phase-task.js'
import { addUsage, NO_USAGE } from '../rules/budget.js'
import { boundGuidance } from '../rules/phase/bound-guidance.js'
import { getAccumulatedContext, isGlobal } from '../rules/phase/context-manager.js'
import { isCompleted } from '../rules/phase/decide-task.js'
import { guideSignal, pauseSignal } from './messages.js'
import { completeTask } from './phase-complete.js'
import { blockTask, keepSnapshot, type PhaseRun, type RunTask, setStatus } from './phase-run.js'
import { prepareTask } from './phase-start.js'
import { freshTexts } from './phase-words.js'
import type { taskPhases } from './task-phases.js'

/** Works on one task until it is completed and merged, or blocked, or the run stops. */
export async function workOnTask(phase: PhaseRun, task: RunTask): Promise<void> {
  phase.run.mark(task.outline.id, 'running')
  for (;;) {
    const snapshot = await prepareTask(phase, task)
    if (snapshot === null) return
    if (!isCompleted(snapshot.progress.action) && !(await workOnce(phase, task, snapshot))) return
    if (isSettled(task) && (await completeTask(phase, task)) === 'over') return
  }
}

function isSettled({ snapshot }: RunTask): boolean {
  return snapshot !== null && isCompleted(snapshot.progress.action)
}

/** One stretch, with a part of the budget. False when the task does not go on by itself. */
async function workOnce(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): Promise<boolean> {
  const { purse } = phase.asking
  const loan = await purse.lend(phase.input.parallel)
  if (loan === null) return setDown(phase, task)
  const end = await runStretch(phase, task, { snapshot, loan })
  purse.repay(loan, end ?? NOTHING_USED)
  if (end === null) return false
  task.usage = addUsage(task.usage, end.usage)
  keepSnapshot(phase, task, end.snapshot)
  if (end.end === 'canceled') return setDown(phase, task)
  if (end.block === null) return true
  blockTask(phase, task, end.block)
  return false
}

const NOTHING_USED = { usage: NO_USAGE, rounds: 0, untold: { tokens: false, cost: false } }

/** What is done is kept: it may go on from there. */
function setDown(phase: PhaseRun, task: RunTask): false {
  task.note = 'set down'
  setStatus(task, 'pending')
  phase.run.mark(task.outline.id, 'canceled', task.note)
  return false
}

/** Runs the child workflow; null when it was lost, which is no outcome of the task. */
async function runStretch(
  phase: PhaseRun,
  task: RunTask,
  { snapshot, loan }: { snapshot: TaskSnapshot; loan: Budget },
): Promise<TaskEnd | null> {
  task.counts.stretches += 1
  const { id, title } = task.outline
  const workflowId = `${workflowInfo().workflowId}/${id}/${task.counts.stretches}`
  const { run } = phase
  const said = run.guidance
  const order = orderFor(phase, task, { snapshot, loan })
  try {
    const options = {
      workflowId,
      args: [order] as [TaskOrder],
      cancellationType: WAIT,
      staticSummary: `${id} ${title}`,
    }
    const child = await startChild<typeof taskPhases>('taskPhases', options)
    task.childId = workflowId
    for (const text of freshTexts(said, run.guidance)) await child.signal(guideSignal, text)
    if (run.isPaused) await child.signal(pauseSignal)
    return await child.result()
  } catch (error) {
    if (isCancellation(error)) setDown(phase, task)
    else failTask(phase, task, error)
    return null
  } finally {
    task.childId = null
  }
}

const WAIT = 'WAIT_CANCELLATION_COMPLETED' as const

/** Somebody terminated the child, or it is broken: nothing the run could ask a person about. */
function failTask(phase: PhaseRun, task: RunTask, error: unknown): void {
  task.note = `its workflow was lost: ${error instanceof Error ? error.message : String(error)}`.slice(0, 300)
  setStatus(task, 'failed')
  phase.run.mark(task.outline.id, 'failed', task.note)
}

/** Bytes of the run's memory that go into a child's input: a hundred of them stay in the run's history. */
const RUN_MEMORY_BYTES = 4_000

function orderFor(
  phase: PhaseRun,
  task: RunTask,
  { snapshot, loan }: { snapshot: TaskSnapshot; loan: Budget },
): TaskOrder {
  const { run, input, project, plan, memory } = phase
  if (project === null || plan === null) throw new Error('a task is worked on before there is a plan')
  const others = memory.filter((entry) => isGlobal(entry) && entry.task !== task.outline.id)
  return {
    run_id: run.state.run_id,
    repository: input.repository,
    config: input.base,
    outline: task.outline,
    plan,
    tasks: phase.tasks.size,
    quality: project.quality,
    project: project.context,
    memory: getAccumulatedContext(others, { taskId: task.outline.id, maxBytes: RUN_MEMORY_BYTES }),
    guidance: boundGuidance(run.guidance),
    snapshot,
    agents: input.agents,
    budget: loan,
    allow_unsandboxed: input.allow_unsandboxed,
  }
}
