import type { ContextEntry } from '../../contracts/phase-context.js'
import { accumulate } from './accumulated-context.js'
import { renderEntry } from './context-markdown.js'

/** All that the agents of a run have left, oldest first. Never changed in place. */
export type Memory = readonly ContextEntry[]

/** The seed's global file holds what all tasks may need; what a phase says of itself stays with its task. */
export function isGlobal(entry: ContextEntry): boolean {
  return entry.kind !== 'complete' || entry.phase === 'planning'
}

/** `appendGlobalContext` and `appendTaskContext` (seed 001, 5.10) in one: an entry knows where it belongs. One that is there already is not written again. */
export function appendContext(memory: Memory, entries: readonly ContextEntry[]): Memory {
  const known = new Set(memory.map(({ id }) => id))
  return [
    ...memory,
    ...entries.filter(({ id }, index) => !known.has(id) && entries.findIndex((each) => each.id === id) === index),
  ]
}

/** `.openmatrix/context.md`. */
export function readGlobalContext(memory: Memory): string {
  return fileOf(memory.filter(isGlobal))
}

/** `.openmatrix/tasks/TASK-NNN/context.md`. */
export function readTaskContext(memory: Memory, taskId: string): string {
  return fileOf(memory.filter((entry) => entry.task === taskId && !isGlobal(entry)))
}

/** Global and task together, within `maxBytes` of UTF-8: the oldest decisions are summarised first. */
export function getAccumulatedContext(
  memory: Memory,
  { taskId, maxBytes }: { taskId: string; maxBytes: number },
): string {
  return accumulate(
    memory.filter((entry) => isGlobal(entry) || entry.task === taskId),
    maxBytes,
  )
}

/** What is meant for a phase: `Suggestion [agent]` entries of this task, "For: Verify phase". */
export function suggestionsFor(memory: Memory, { taskId, phase }: { taskId: string; phase: string }): string[] {
  return memory.flatMap((entry) =>
    entry.kind === 'suggestion' && entry.task === taskId && entry.for === phase ? [entry.suggestion] : [],
  )
}

function fileOf(entries: Memory): string {
  return entries.length === 0 ? '' : `${entries.map(renderEntry).join('\n\n')}\n`
}
