import type { Complexity, TaskPhase } from '../../contracts/phase.js'

const MINUTE = 60_000

/** Seed 001, 5.3, in milliseconds. Planning and research are not in its table: they take what the longest reading phase takes. */
export const TIMEOUTS = {
  tdd: { low: 3 * MINUTE, medium: 5 * MINUTE, high: 10 * MINUTE },
  develop: { low: 5 * MINUTE, medium: 10 * MINUTE, high: 20 * MINUTE },
  verify: { low: 5 * MINUTE, medium: 5 * MINUTE, high: 5 * MINUTE },
  accept: { low: 3 * MINUTE, medium: 3 * MINUTE, high: 3 * MINUTE },
  plan: { low: 5 * MINUTE, medium: 5 * MINUTE, high: 5 * MINUTE },
  research: { low: 5 * MINUTE, medium: 5 * MINUTE, high: 5 * MINUTE },
} as const satisfies Record<TaskPhase, Record<Complexity, number>>

/** Milliseconds that an agent has for one try. */
export function timeoutFor(phase: TaskPhase, complexity: Complexity): number {
  return TIMEOUTS[phase][complexity]
}
