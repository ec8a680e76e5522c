import { getExternalWorkflowHandle, isCancellation, workflowInfo } from '@temporalio/workflow'
import type { BlockInfo } from '../contracts/phase-answers.js'
import type { ReadTaskOrder } from '../contracts/phase-run.js'
import type { TaskEnd, TaskOrder, TaskSnapshot } from '../contracts/phase-task.js'
import type { Task, TaskPhase } from '../contracts/phase.js'
import { NO_USAGE } from '../rules/budget.js'
import { blockOf } from '../rules/phase/block-of.js'
import { catchMistake } from '../rules/phase/caught.js'
import { advanceTask, type TaskAction, type TaskEvent } from '../rules/phase/decide-task.js'
import { meaningOf, type Outcome } from '../rules/phase/outcomes.js'
import { STATUS_IN_PHASE } from '../rules/phase/task-status.js'
import { together } from '../rules/together.js'
import { openAsking } from './ask-role.js'
import { attemptStep } from './attempt.js'
import { taskMovedSignal } from './messages.js'
import { openRun, type Run, whilePaused } from './run.js'
import { diagnose, measureTaken, PHASE_WORK } from './task-steps.js'
import type { Stretch, TaskWork } from './task-work.js'

/**
 * A stretch of work on one task of a run: until it is completed, a person is to be asked, or the budget it was lent is used up.
 * What to do next is decided by `advanceTask` from what was measured; the run that started it merges, asks and starts it again.
 */
export async function taskPhases(order: TaskOrder): Promise<TaskEnd> {
  const { phases } = order.snapshot.progress
  const run = openRun({ pipeline: 'phase', steps: ['read', ...phases], files: () => [], isPart: true })
  run.guidance.push(...order.guidance)
  const work = openWork(order, run)
  try {
    const task = await readTask(order, run)
    if (task.status === 'canceled') return endOf(work, { end: 'canceled', reason: null })
    if (task.status === 'failed') return settleUnread(work, task.failure.message)
    return await follow({ ...work, task: task.value })
  } catch (error) {
    if (isCancellation(error)) return endOf(work, { end: 'canceled', reason: null })
    throw error
  }
}

function openWork(order: TaskOrder, run: Run): TaskWork {
  const { agents, budget, allow_unsandboxed } = order
  // The run asks for more, for all its tasks together.
  const options = { agents, budget, allow_unsandboxed, answer_within_seconds: 0 }
  const asking = openAsking(run, options, order.run_id)
  return {
    order,
    run,
    asking,
    task: UNREAD,
    at: { ...order.snapshot },
    usage: NO_USAGE,
    untold: { tokens: false, cost: false },
    rounds: 0,
    said: null,
  }
}

const UNREAD: Task = {
  id: '',
  title: '',
  description: '',
  dependencies: [],
  priority: 1,
  estimatedComplexity: 'low',
  agentType: 'coder',
  artifacts: [],
}

function readTask({ plan, outline }: TaskOrder, run: Run) {
  const input: ReadTaskOrder = { plan, task: outline.id }
  return attemptStep<ReadTaskOrder, Task>(run, { step: 'read', activity: 'readTask', input, note: () => null })
}

function settleUnread(work: TaskWork, message: string): TaskEnd {
  if (work.at.progress.action.do !== 'work')
    throw new Error(`a task that cannot be read is to ${work.at.progress.action.do}`)
  work.at.complaint = message
  move(work, { kind: 'outcome', outcome: 'failed' })
  return endOf(work, { end: 'settled', reason: null })
}

async function follow(work: TaskWork): Promise<TaskEnd> {
  for (;;) {
    await whilePaused(work.run)
    if (work.run.abortReason !== null) return endOf(work, { end: 'canceled', reason: null })
    const { action } = work.at.progress
    if (action.do === 'ask' || action.do === 'end') return endOf(work, { end: 'settled', reason: null })
    const stretch = await doAction(work, action)
    if ('stop' in stretch) return endOf(work, { end: stretch.stop, reason: stretch.reason })
    if ('outcome' in stretch) noteMistake(work, action.phase, stretch.outcome)
    move(work, 'outcome' in stretch ? { kind: 'outcome', outcome: stretch.outcome } : { kind: 'diagnosed' })
  }
}

function noteMistake({ at }: TaskWork, phase: TaskPhase, outcome: Outcome): void {
  const meaning = meaningOf(phase, outcome)
  const isMistake = meaning === 'again' || meaning === 'return'
  if (isMistake && at.complaint !== null) at.caught = catchMistake(at.caught, phase, at.complaint)
}

type Doing = Exclude<TaskAction, { do: 'ask' | 'end' }>

/** The run hears of it while the work has begun. */
async function doAction(work: TaskWork, action: Doing): Promise<Stretch> {
  const [, stretch] = await together(tell(work, action.phase), actOn(work, action))
  return stretch
}

async function actOn(work: TaskWork, action: Doing): Promise<Stretch> {
  if (action.do === 'diagnose') return await diagnose(work)
  if (action.do === 'measure') return await measureTaken(work, action.phase)
  return await PHASE_WORK[action.phase](work, action.because)
}

/** A new phase begins where the one before ended; what was complained of the one before is told only to who is to mend it. */
function move(work: TaskWork, event: TaskEvent): void {
  const { at } = work
  at.progress = advanceTask(at.progress, event)
  const { action } = at.progress
  if (action.do !== 'work' || action.because === 'again' || action.because === 'diagnosed') return
  at.phase_start = at.commit
  if (action.because === 'first') Object.assign(at, { complaint: null, report: null })
}

async function tell({ order, run, at }: TaskWork, phase: TaskPhase): Promise<void> {
  const { parent } = workflowInfo()
  if (parent === undefined) return
  const round = (at.rounds[phase] ?? 0) + 1
  const note = `${phase}${round > 1 ? `, round ${round}` : ''}`
  run.state.phase = phase
  await getExternalWorkflowHandle(parent.workflowId).signal(taskMovedSignal, {
    task: order.outline.id,
    status: STATUS_IN_PHASE[phase],
    note,
  })
}

function endOf(work: TaskWork, { end, reason }: Pick<TaskEnd, 'end' | 'reason'>): TaskEnd {
  const { at, usage, untold, rounds, run } = work
  run.state.phase = 'completed'
  run.show()
  return {
    end,
    snapshot: at,
    usage,
    untold,
    rounds,
    reason: reason?.slice(0, 500) ?? null,
    block: blockFor(at, work.said),
  }
}

function blockFor({ progress, complaint }: TaskSnapshot, said: BlockInfo | null): BlockInfo | null {
  return progress.action.do === 'ask' ? blockOf({ ask: progress.action, complaint, said }) : null
}
