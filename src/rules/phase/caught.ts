import type { CaughtMistake, TaskOutline, TaskSnapshot } from '../../contracts/phase-task.js'

/** One more mistake of an agent that was sent back, the last ten kept. */
export function catchMistake(
  caught: readonly CaughtMistake[],
  phase: CaughtMistake['phase'],
  what: string,
): CaughtMistake[] {
  return [...caught, { phase, what: what.slice(0, 200) }].slice(-10)
}

/** Of a whole run: the plan's first (`task` null), then each task's, a hundred at most. */
export function caughtIn(
  plan: readonly CaughtMistake[],
  tasks: readonly { outline: TaskOutline; snapshot: TaskSnapshot | null }[],
): (CaughtMistake & { task: string | null })[] {
  const ofTasks = tasks.flatMap(({ outline, snapshot }) =>
    (snapshot?.caught ?? []).map((each) => ({ task: outline.id, ...each })),
  )
  return [...plan.map((each) => ({ task: null, ...each })), ...ofTasks].slice(0, 100)
}
