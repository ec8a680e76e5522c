import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from './error-code.js'
import {
  childrenOf,
  deletedBytesOf,
  isAlive,
  lastPid,
  processesWith,
  readProcess,
  readShareBytes,
  type PidRange,
  type ProcessFacts,
} from './process-table.js'
import type { Child } from './start-child.js'
import { within } from './within.js'

export interface TreeSample {
  /** Resident now, shared pages counted once when that decides something. */
  memoryBytes: number
  /** The highest any single process has been: the kernel remembers what happened between two samples. */
  highestBytes: number
  /** Processes and threads, never counted much further than asked. */
  processes: number
}

/** The processes that came out of one order. */
export interface ProcessTree {
  sample(limits: { memoryBytes: number; processes: number }): TreeSample
  /** What files take up that it deleted and still holds open, each counted once. */
  deletedBytes(): number
  /** Sends SIGKILL to all of it. */
  kill(): void
  /** Kills and waits until nothing is left, at most ten seconds. `isQuick`: it lived for a moment and ended by itself. */
  clear(isQuick: boolean): Promise<void>
}

/** A tree inside bubblewrap: a pid namespace whose first process takes all others with it, however they hid. */
export function sandboxedTree(child: Child): ProcessTree {
  const firstPid = () => /"child-pid": *(\d+)/.exec(child.status.text())?.[1]
  const kill = () => {
    const first = firstPid()
    if (first !== undefined) sendKill(Number(first))
    sendKill(-child.pid)
  }
  // The first process is told by the kernel when bubblewrap dies; it needs a moment to take the others along.
  const isGone = () => {
    const first = firstPid()
    return first === undefined || !isAlive(Number(first))
  }
  const programs = () => childrenOf(child.pid).flatMap(childrenOf)
  const clear = async () => {
    // Its end closes the pipes, which is cheaper to wait for.
    await within(100, child.closed)
    await until(isGone, kill)
  }
  const deletedBytes = () => deletedBytesOf(descendantsOf(programs()))
  return { sample: (limits) => sampleFrom(programs(), limits), deletedBytes, kill, clear }
}

/**
 * A tree on the bare machine: the descendants, the process group, and whatever else carries the order's mark in its
 * environment. A process that left all three at once is not found: that takes a sandbox.
 */
export function bareTree(child: Child, mark: string): ProcessTree {
  let samples = 0
  let strays: number[] = []
  const kill = () => {
    sendKill(-child.pid)
    for (const pid of [...descendantsOf([child.pid]), ...processesWith(mark)]) sendKill(pid)
  }
  const sample = (limits: { memoryBytes: number; processes: number }) => {
    // Reading every environment of the machine is too dear for each sample.
    if (samples++ % 10 === 0) strays = processesWith(mark)
    return sampleFrom([...new Set([child.pid, ...strays])], limits)
  }
  const clear = async (isQuick: boolean) => {
    sendKill(-child.pid)
    // Reading every environment of the machine takes milliseconds, too dear for each of thousands of short runs.
    const left = () => processesWith(mark, isQuick ? bornSince(child) : undefined)
    await until(() => left().length === 0, kill)
  }
  const deletedBytes = () => deletedBytesOf(descendantsOf([child.pid, ...strays]))
  return { sample, deletedBytes, kill, clear }
}

/** The process numbers given out since the start; they cannot have gone round during a quick run. */
function bornSince(child: Child): PidRange | undefined {
  const last = lastPid()
  return last === null ? undefined : { first: child.pid - 1, last }
}

function sampleFrom(roots: readonly number[], limits: { memoryBytes: number; processes: number }): TreeSample {
  const facts: ProcessFacts[] = []
  let processes = 0
  for (const pid of descendantsOf(roots)) {
    const process = readProcess(pid)
    if (process !== null) facts.push(process)
    // One that ended takes a place until its parent has asked for it.
    processes += process?.threads ?? 1
    if (processes > limits.processes) break
  }
  const resident = total(facts.map((each) => each.residentBytes))
  const isShared = facts.length > 1 && resident > limits.memoryBytes
  return {
    memoryBytes: isShared ? total(facts.map(readShareBytes)) : resident,
    highestBytes: Math.max(0, ...facts.map((each) => each.highestBytes)),
    processes,
  }
}

/** The roots and all below them, nearest first; lazily, so that a fork bomb is not walked to its end. */
function* descendantsOf(roots: readonly number[]): Generator<number> {
  const seen = new Set(roots)
  for (const pid of seen) {
    yield pid
    // A set may grow while it is walked: what is added comes last.
    for (const next of childrenOf(pid)) seen.add(next)
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // Gone meanwhile, or became another user's.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}

async function until(isDone: () => boolean, between: () => void): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!isDone() && performance.now() < deadline) {
    between()
    await delay(2)
  }
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
