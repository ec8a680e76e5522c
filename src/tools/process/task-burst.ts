import { readFileSync } from 'node:fs'

/** Milliseconds between two looks, and new processes on the whole machine in between that count as a burst. */
const lookMs = 5
const burst = 24

const listeners = new Set<() => void>()
let timer: NodeJS.Timeout | undefined
let tasks = Infinity

/**
 * Calls back at once when the machine's processes multiply, so that a fork bomb is met by the dozen and not, at the next
 * regular look at its tree, by the thousand. One small read for all runs together. Returns how to stop listening.
 */
export function onTaskBurst(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(look, lookMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
    tasks = Infinity
  }
}

function look(): void {
  const before = tasks
  tasks = countTasks()
  if (tasks - before >= burst) for (const listener of listeners) listener()
}

/** The fourth word of /proc/loadavg is 'RUNNING/ALL'. 0 where there is no /proc. */
function countTasks(): number {
  if (process.platform !== 'linux') return 0
  return Number(/\/(\d+) /.exec(readFileSync('/proc/loadavg', 'latin1'))?.[1] ?? 0)
}
