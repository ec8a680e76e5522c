import { stat, statfs } from 'node:fs/promises'
import { codeOf } from './error-code.js'
import type { ProcessTree } from './process-tree.js'
import { leastFileBytes, writtenBytes } from './written-bytes.js'

export interface DiskOrder {
  tree: Pick<ProcessTree, 'deletedBytes'>
  /** Where the tree may write, absolute. */
  folders: readonly string[]
  /** All that it may write there. */
  maxBytes: number
  /** Told once, when it has written more. */
  onFull: () => void
}

/** Milliseconds until the disk is looked at first, and between two looks: what ends before is never looked at. */
const lookMs = 250
/** Milliseconds until the folders are walked whatever is free, doubled each time: somebody else may be making room. */
const firstWalkMs = 15_000
/** A file system's clock is that of the kernel's last tick. */
const tickMs = 50

/**
 * Watches what a tree writes in all, with the files that it deleted and still holds open. What is free on the disk is asked for at each
 * look, which costs nothing; the folders are walked when that has shrunk by as much as could matter, whoever it was, and now and then.
 * Returns how to end the watch.
 */
export function watchDisk({ tree, folders, maxBytes, onFull }: DiskOrder): () => void {
  const sinceMs = Date.now() - tickMs
  let isOver = false
  let most = 0
  /** Walked when less than this is free: it follows what is free upwards, and only a walk lowers it. */
  let wakeAt = 0
  let margin = maxBytes / 2
  let dueMs = sinceMs + firstWalkMs

  async function look(): Promise<void> {
    const free = await freeBytes(folders)
    most = Math.max(most, free)
    wakeAt = Math.max(wakeAt, free - margin)
    if (free >= wakeAt && Date.now() < dueMs) return
    const { bytes, isPart } = await writtenBytes(folders, { sinceMs, enough: maxBytes + 1 })
    // What is hidden from us counts as all that the disk has lost.
    const written = Math.max(bytes + tree.deletedBytes(), isPart ? most - free : 0)
    if (written > maxBytes && !isOver) onFull()
    margin = Math.max((maxBytes - written) / 2, maxBytes / 16)
    wakeAt = free - margin
    dueMs = Date.now() + Math.max(firstWalkMs, Date.now() - sinceMs)
  }

  async function watch(): Promise<void> {
    await look().catch(ignoreDisk)
    if (!isOver) timer = setTimeout(() => void watch(), lookMs)
  }

  let timer = setTimeout(() => void watch(), lookMs)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Of all disks that the folders lie on, together. Files count too: a file system may run out of them first. */
async function freeBytes(folders: readonly string[]): Promise<number> {
  const disks = new Map(await Promise.all(folders.map(async (path) => [(await stat(path)).dev, path] as const)))
  const free = await Promise.all([...disks.values()].map((path) => statfs(path)))
  return free.reduce((sum, { bfree, bsize, ffree }) => sum + bfree * bsize + ffree * leastFileBytes, 0)
}

/** A folder that the program removed, or a disk that does not answer, ends no program. */
function ignoreDisk(error: unknown): void {
  if (codeOf(error) === null) throw error
}
