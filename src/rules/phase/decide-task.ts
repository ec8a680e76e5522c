import type { BlockInfo } from '../../contracts/phase-answers.js'
import type { TaskPhase } from '../../contracts/phase.js'
import { type Meaning, meaningOf, type Outcome } from './outcomes.js'

/** Why a phase is worked on now: it says what the agent is told. */
export type Because = 'first' | 'again' | 'diagnosed' | 'gates' | 'review' | 'conflict' | 'retry'

export type TaskAction =
  | { do: 'work'; phase: TaskPhase; because: Because }
  /** Tests are run on what a person committed; no agent is asked. */
  | { do: 'measure'; phase: 'tdd' | 'develop' }
  /** The researcher looks why it does not succeed. */
  | { do: 'diagnose'; phase: TaskPhase }
  /** A person: retry, take-over or skip. */
  | { do: 'ask'; phase: TaskPhase; because: Outcome | 'conflict'; type: BlockInfo['type'] }
  /** `blocked`: nobody answered. */
  | { do: 'end'; as: 'completed' | 'skipped' | 'blocked' }

/** Where a task stands. Plain data: a task that waits for a person is this, and nothing that runs. */
export interface TaskProgress {
  phases: readonly TaskPhase[]
  phase: TaskPhase
  /** Tries of this phase that did not succeed since it was entered. */
  tries: number
  /** True when a researcher has diagnosed since this phase was entered. */
  isDiagnosed: boolean
  /** How often Verify and Accept have sent the task back. */
  returns: number
  conflicts: number
  /** True once new tests were seen to fail by assertion. */
  seenRed: boolean
  action: TaskAction
}

export type TaskEvent =
  | { kind: 'outcome'; outcome: Outcome }
  /** Whatever came out of the diagnosis: there is one more try. */
  | { kind: 'diagnosed' }
  | { kind: 'answer'; answer: 'retry' | 'take-over' | 'skip' | 'none' }
  /** The accepted work was not merged: it conflicts, or git could not do its work. */
  | { kind: 'unmerged'; because: 'conflict' | 'failed' }

/** Tries of a phase before a researcher is asked; ways back to Develop; merge conflicts given to the coder. */
export const TASK_LIMITS = { tries: 3, returns: 2, conflicts: 1 } as const

export function startTask(phases: readonly TaskPhase[]): TaskProgress {
  const [phase] = phases
  if (phase === undefined) throw new Error('a task without phases cannot be worked on')
  const counts = { tries: 0, isDiagnosed: false, returns: 0, conflicts: 0, seenRed: false }
  return { phases, phase, ...counts, action: { do: 'work', phase, because: 'first' } }
}

/** What comes next for a task, from where it stands and what happened. Throws for an event that its action cannot have. */
export function advanceTask(task: TaskProgress, event: TaskEvent): TaskProgress {
  const next = nextOf(task, event)
  if (next === null) throw new Error(`a task that is to ${task.action.do} has no ${event.kind}`)
  return next
}

function nextOf(task: TaskProgress, event: TaskEvent): TaskProgress | null {
  switch (event.kind) {
    case 'outcome':
      return afterOutcome(task, event.outcome)
    case 'diagnosed':
      return task.action.do === 'diagnose' ? afterDiagnosis(task) : null
    case 'answer':
      return task.action.do === 'ask' ? afterAnswer(task, task.action, event.answer) : null
    case 'unmerged':
      return isCompleted(task.action) ? NOT_MERGED[event.because](task) : null
    default:
      return event satisfies never
  }
}

const NOT_MERGED = {
  conflict: afterConflict,
  failed: (task: TaskProgress) => askPerson(task, 'failed', 'decision'),
} as const

function afterOutcome(task: TaskProgress, outcome: Outcome): TaskProgress | null {
  if (task.action.do === 'work') return afterWork(task, outcome)
  return task.action.do === 'measure' ? afterMeasure(task, task.action.phase, outcome) : null
}

export function isCompleted(action: TaskAction): boolean {
  return action.do === 'end' && action.as === 'completed'
}

function afterWork(task: TaskProgress, outcome: Outcome): TaskProgress {
  const meaning = meaningOf(task.phase, outcome)
  if (meaning === null) throw new Error(`${task.phase} cannot end as ${outcome}`)
  return NEXT[meaning](task, outcome)
}

const NEXT: Record<Meaning | 'blocked', (task: TaskProgress, outcome: Outcome) => TaskProgress> = {
  good: (task, outcome) => goOn(task, outcome),
  again: (task, outcome) => (hasTriesLeft(task) ? tryAgain(task) : diagnoseOrAsk(task, outcome)),
  blocked: (task, outcome) => diagnoseOrAsk(task, outcome),
  return: (task, outcome) => sendBack(task, outcome),
  stop: (task, outcome) => askPerson(task, outcome, 'decision'),
}

function goOn(task: TaskProgress, outcome: Outcome): TaskProgress {
  const seenRed = task.seenRed || outcome === 'red'
  const next = task.phases[task.phases.indexOf(task.phase) + 1]
  if (next === undefined) return { ...task, seenRed, action: { do: 'end', as: 'completed' } }
  return enter({ ...task, seenRed }, next, 'first')
}

function enter(task: TaskProgress, phase: TaskPhase, because: Because): TaskProgress {
  return { ...task, phase, tries: 0, isDiagnosed: false, action: { do: 'work', phase, because } }
}

/** After a diagnosis there is one try, not three. */
function hasTriesLeft({ tries, isDiagnosed }: TaskProgress): boolean {
  return !isDiagnosed && tries + 1 < TASK_LIMITS.tries
}

function tryAgain(task: TaskProgress): TaskProgress {
  return { ...task, tries: task.tries + 1, action: { do: 'work', phase: task.phase, because: 'again' } }
}

function diagnoseOrAsk(task: TaskProgress, outcome: Outcome): TaskProgress {
  const isHelpful = task.phase === 'tdd' || task.phase === 'develop'
  if (task.isDiagnosed || !isHelpful) return askPerson(task, outcome, 'information')
  return { ...task, tries: task.tries + 1, action: { do: 'diagnose', phase: task.phase } }
}

/** A task without Develop has nobody who could mend what Verify or Accept found. */
function sendBack(task: TaskProgress, outcome: Outcome): TaskProgress {
  if (!task.phases.includes('develop') || task.returns >= TASK_LIMITS.returns)
    return askPerson(task, outcome, 'decision')
  return backToDevelop({ ...task, returns: task.returns + 1 })
}

function backToDevelop(task: TaskProgress): TaskProgress {
  return enter(task, 'develop', task.phase === 'accept' ? 'review' : 'gates')
}

function askPerson(task: TaskProgress, because: Outcome | 'conflict', type: BlockInfo['type']): TaskProgress {
  return { ...task, action: { do: 'ask', phase: task.phase, because, type } }
}

function afterDiagnosis(task: TaskProgress): TaskProgress {
  return { ...task, isDiagnosed: true, action: { do: 'work', phase: task.phase, because: 'diagnosed' } }
}

type Ask = Extract<TaskAction, { do: 'ask' }>

function afterAnswer(
  task: TaskProgress,
  ask: Ask,
  answer: Extract<TaskEvent, { kind: 'answer' }>['answer'],
): TaskProgress {
  if (answer === 'skip') return { ...task, action: { do: 'end', as: 'skipped' } }
  if (answer === 'none') return { ...task, action: { do: 'end', as: 'blocked' } }
  const fresh = { ...task, returns: 0, conflicts: 0 }
  return answer === 'retry' ? retry(fresh, ask) : takeOver(fresh)
}

/** What was found goes to whoever can mend it; what could not be tried is tried where it was. */
function retry(task: TaskProgress, { because }: Ask): TaskProgress {
  if (because === 'conflict')
    return task.phases.includes('develop') ? enter(task, 'develop', 'conflict') : mergeAgain(task)
  const isFinding = meaningOf(task.phase, because) === 'return'
  return isFinding && task.phases.includes('develop') ? backToDevelop(task) : enter(task, task.phase, 'retry')
}

function mergeAgain(task: TaskProgress): TaskProgress {
  return { ...task, action: { do: 'end', as: 'completed' } }
}

/** From what a person committed the tests say where the task stands; without tests of its own the phase runs on it. */
function takeOver(task: TaskProgress): TaskProgress {
  const phase = task.phase === 'tdd' ? 'tdd' : 'develop'
  if (!task.phases.includes(phase)) return enter(task, task.phase, 'retry')
  return { ...enter(task, phase, 'retry'), action: { do: 'measure', phase } }
}

/** A person who writes the tests and what they ask for in one go has done both; red was then not seen, and is not said to be. */
function afterMeasure(task: TaskProgress, phase: 'tdd' | 'develop', outcome: Outcome): TaskProgress {
  const meaning = meaningOf(phase, outcome)
  if (meaning === null) throw new Error(`${phase} cannot end as ${outcome}`)
  if (meaning === 'good') return goOn(task, outcome)
  const isBoth = phase === 'tdd' && outcome === 'already_passing' && task.phases.includes('develop')
  return isBoth ? goOn({ ...task, phase: 'develop' }, outcome) : askPerson(task, outcome, 'information')
}

/** The coder merges once; after that a person decides. Who has no coder has a person at once. */
function afterConflict(task: TaskProgress): TaskProgress {
  const isMendable = task.phases.includes('develop') && task.conflicts < TASK_LIMITS.conflicts
  const counted = { ...task, conflicts: task.conflicts + 1 }
  return isMendable ? enter(counted, 'develop', 'conflict') : askPerson(counted, 'conflict', 'decision')
}
