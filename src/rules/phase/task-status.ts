import type { TaskPhase, TaskStatus } from '../../contracts/phase.js'

/**
 * Which status may follow which: the book's table, and what a task needs that goes back to Develop, has not all phases, is set
 * down for want of budget, or is left to a person. Nothing follows an end but `failed`, which may be tried again.
 */
export const TRANSITIONS = {
  pending: ['scheduled', 'failed', 'skipped'],
  scheduled: ['in_progress', 'verify', 'accept', 'pending', 'blocked', 'failed'],
  in_progress: ['verify', 'accept', 'completed', 'blocked', 'pending', 'failed'],
  verify: ['accept', 'in_progress', 'completed', 'blocked', 'pending', 'failed'],
  accept: ['completed', 'in_progress', 'blocked', 'pending', 'failed'],
  blocked: ['waiting', 'pending', 'failed'],
  waiting: ['pending', 'blocked', 'skipped', 'failed'],
  failed: ['retry_queue'],
  retry_queue: ['pending'],
  completed: [],
  skipped: [],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>

/** Throws for a move that the table does not have: that is a bug of the workflow, not an event of a run. */
export function moveTask(from: TaskStatus, to: TaskStatus): TaskStatus {
  if (!canMove(from, to)) throw new Error(`a task that is ${from} cannot become ${to}`)
  return to
}

export function canMove(from: TaskStatus, to: TaskStatus): boolean {
  const allowed: readonly TaskStatus[] = TRANSITIONS[from]
  return allowed.includes(to)
}

/** What a task is called while it is in a phase. */
export const STATUS_IN_PHASE = {
  plan: 'in_progress',
  research: 'in_progress',
  tdd: 'in_progress',
  develop: 'in_progress',
  verify: 'verify',
  accept: 'accept',
} as const satisfies Record<TaskPhase, TaskStatus>
