import type { TaskBrief } from '../contracts/phase-roles.js'
import { boundGuidance } from '../rules/phase/bound-guidance.js'
import { getAccumulatedContext, suggestionsFor } from '../rules/phase/context-manager.js'
import type { TaskWork } from './task-work.js'

/** Bytes of what earlier agents have left: of the run as it was at the start, and of this task. */
const TASK_MEMORY_BYTES = 6_000

/** What every agent of a task is told. */
export function briefFor({ order, task, at, run }: TaskWork, phase: string): TaskBrief {
  const own = getAccumulatedContext(at.entries, { taskId: task.id, maxBytes: TASK_MEMORY_BYTES })
  return {
    task,
    project: order.project,
    memory: [order.memory, own].filter((text) => text !== '').join('\n\n'),
    suggestions: suggestionsFor(at.entries, { taskId: task.id, phase }),
    guidance: boundGuidance(run.guidance),
  }
}
