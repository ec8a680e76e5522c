import type { Task } from '../../contracts/phase.js'
import { MAX_TASKS } from './plan-faults.js'

/**
 * Puts the plan that a planner's task made in that task's place: its tasks get the next free ids, begin after what the planner's
 * task began after, and whoever waited for the planner's task waits for all of them too. Both plans are good ones.
 */
export function nestPlan(tasks: readonly Task[], planner: Task, nested: readonly Task[]): Task[] {
  const names = new Map(nested.map(({ id }, index) => [id, idAt(lastNumber(tasks) + 1 + index)]))
  const own = nested.map((task) => ({
    ...task,
    id: names.get(task.id) ?? task.id,
    dependencies: [planner.id, ...task.dependencies.map((id) => names.get(id) ?? id)],
  }))
  const ids = own.map(({ id }) => id)
  const waiting = tasks.map((task) =>
    task.dependencies.includes(planner.id) ? { ...task, dependencies: [...task.dependencies, ...ids] } : task,
  )
  return [...waiting, ...own]
}

/** Why a nested plan cannot be taken, a sentence each: there is one level of nesting, and room for so many tasks. */
export function nestedPlanFaults(count: number, nested: readonly Pick<Task, 'id' | 'agentType'>[]): string[] {
  const planners = nested.filter(({ agentType }) => agentType === 'planner')
  const size = count + nested.length
  return [
    ...planners.map(({ id }) => `${id} is a planner's task within a planner's task: expected tasks that do the work.`),
    ...(size > MAX_TASKS ? [`With these the run would have ${size} tasks: expected at most ${MAX_TASKS}.`] : []),
  ]
}

function lastNumber(tasks: readonly Task[]): number {
  return Math.max(0, ...tasks.map(({ id }) => Number(id.slice('TASK-'.length))))
}

function idAt(number: number): string {
  return `TASK-${String(number).padStart(3, '0')}`
}
