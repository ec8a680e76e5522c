import type { TaskStatus } from '../../contracts/phase.js'
import type { Isolation } from './isolation.js'

/** Of a task, what decides when its turn comes. */
export interface Scheduled {
  id: string
  dependencies: readonly string[]
  priority: number
  /** `undefined` works on the run's own branch, and only one such task does so at a time. */
  isolation: Isolation
  status: TaskStatus
}

/**
 * The tasks to start now: everything they depend on is completed, highest priority first, ties in the plan's order, at most
 * `parallel` at work at once. A task that is blocked or waits for a person holds no place, so the others go on.
 */
export function readyTasks(tasks: readonly Scheduled[], parallel: number): string[] {
  const active = tasks.filter(({ status }) => ACTIVE.includes(status))
  const free = Math.max(0, parallel - active.length)
  const isBranchTaken = active.some(({ isolation }) => isolation === undefined)
  const ready = tasks.filter((task) => task.status === 'pending' && hasAll(task, tasks)).sort(byPriority)
  const shared = ready.find(({ isolation }) => isolation === undefined)
  return ready
    .filter((task) => task.isolation === 'worktree' || (!isBranchTaken && task === shared))
    .slice(0, free)
    .map(({ id }) => id)
}

const ACTIVE: readonly TaskStatus[] = ['scheduled', 'in_progress', 'verify', 'accept']

/** Sorting is stable, which keeps the plan's order among equals. */
function byPriority(one: Scheduled, other: Scheduled): number {
  return other.priority - one.priority
}

function hasAll({ dependencies }: Scheduled, tasks: readonly Scheduled[]): boolean {
  return dependencies.every((id) => tasks.some((task) => task.id === id && task.status === 'completed'))
}

const DEAD: readonly TaskStatus[] = ['failed', 'skipped']

/**
 * Pending tasks whose turn can never come, each with the dependency that is to blame: it failed, was skipped, or can itself never
 * start. `given` up are tasks that stay blocked for good.
 */
export function stuckTasks(tasks: readonly Scheduled[], given: ReadonlySet<string> = new Set()): Map<string, string> {
  const dead = new Set(tasks.filter(({ id, status }) => DEAD.includes(status) || given.has(id)).map(({ id }) => id))
  const stuck = new Map<string, string>()
  for (let before = -1; stuck.size > before;) {
    before = stuck.size
    for (const { id, status, dependencies } of tasks) {
      const cause = dependencies.find((each) => dead.has(each) || stuck.has(each))
      if (status === 'pending' && cause !== undefined && !stuck.has(id)) stuck.set(id, cause)
    }
  }
  return stuck
}
