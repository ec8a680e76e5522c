import type { ProcessOrder, StopReason } from '../../contracts/process.js'
import type { ProcessTree } from './process-tree.js'
import type { Child } from './start-child.js'
import { onTaskBurst } from './task-burst.js'
import { watchDisk } from './watch-disk.js'

export interface LimitWatch {
  /** Why the tree was killed, or null while nothing stood against it. */
  stopped(): StopReason
  /** Highest memory of the tree seen, bytes; 0 when it ended before the first look. */
  peakBytes(): number
  /** Ends the watch: what happens later counts no more. */
  end(): void
}

/** Milliseconds until the tree is looked at first, and between two looks. */
const firstLookMs = 20
const lookMs = 50

/** Kills the tree at the first limit it passes, or when the order is cancelled. */
export function watchLimits(child: Child, tree: ProcessTree, order: ProcessOrder): LimitWatch {
  let stopped: StopReason = null
  let isOver = false
  let peak = 0

  function stop(reason: StopReason): void {
    if (isOver || stopped !== null) return
    stopped = reason
    tree.kill()
  }

  function measure(): void {
    const seen = tree.sample(order.limits)
    peak = Math.max(peak, seen.memoryBytes, seen.highestBytes)
    if (seen.processes > order.limits.processes) stop('processes')
    if (seen.memoryBytes > order.limits.memoryBytes) stop('memory')
  }

  function look(): void {
    if (isOver) return
    // After a kill the looks go on as kills, for what was being born at that moment.
    if (stopped === null) measure()
    else tree.kill()
    clearTimeout(timer)
    timer = setTimeout(look, lookMs)
  }

  let timer = setTimeout(look, firstLookMs)
  const deafen = onTaskBurst(look)
  const endDisk = watchDiskOf(order, tree, () => stop('disk_space'))
  const clock = setTimeout(() => stop('time'), Math.min(order.limits.timeMs, 2 ** 31 - 1))
  const cancel = () => stop('cancelled')
  order.signal?.addEventListener('abort', cancel, { once: true })
  if (order.signal?.aborted === true) cancel()
  child.onOutput((bytes) => bytes > order.limits.outputBytes && stop('output'))

  function end(): void {
    isOver = true
    deafen()
    endDisk()
    clearTimeout(timer)
    clearTimeout(clock)
    order.signal?.removeEventListener('abort', cancel)
  }

  return { stopped: () => stopped, peakBytes: () => peak, end }
}

function watchDiskOf({ cwd, writable = [], limits }: ProcessOrder, tree: ProcessTree, onFull: () => void): () => void {
  const { diskBytes: maxBytes } = limits
  if (maxBytes === undefined) return () => {}
  return watchDisk({ tree, folders: [cwd, ...writable], maxBytes, onFull })
}
