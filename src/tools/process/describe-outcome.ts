import { constants } from 'node:os'
import type { ProcessLimits, ProcessOutcome, StopReason } from '../../contracts/process.js'
import { hasKernelLimits } from './limits-argv.js'

/** How a program ended, before it is read as one of the engine's own limits. */
export type Ending = Pick<ProcessOutcome, 'exitCode' | 'signal'>

/**
 * Reads an exit status of 128 + N as signal N, as bubblewrap and shells write it. bubblewrap keeps no other trace of a
 * signal, so a program that plainly exits with such a number inside the sandbox counts as ended by that signal.
 */
export function endingOf(status: number): Ending {
  const signal = status > 128 ? signalName(status - 128) : null
  return signal === null ? { exitCode: status, signal: null } : { exitCode: null, signal }
}

/**
 * The limit a program ran into on its own: the kernel refused it something, which looks like a crash or an error of its own.
 * Null when it simply ended.
 */
export function limitReached(ended: Ended, limits: ProcessLimits): StopReason {
  if (ended.exitCode === 0) return null
  if (ended.isFiltered && ended.signal === 'SIGSYS') return 'network'
  const status = ended.exitCode ?? 128 + signalNumber(ended.signal)
  if (status === 128 + constants.signals.SIGXFSZ || (hasKernelLimits() && /File too large|EFBIG/.test(ended.stderr)))
    return 'file_size'
  return ended.peakBytes >= limits.memoryBytes * 0.9 || isStarved(ended) ? 'memory' : null
}

function isStarved({ stderr, signal }: Ended): boolean {
  // One huge allocation is refused before any of it was resident.
  const isTold = /bad_alloc|out of memory|cannot allocate memory/i.test(stderr)
  return isTold && signal !== null && hasKernelLimits()
}

interface Ended extends Ending {
  stderr: string
  peakBytes: number
  /** Asking for a network was deadly. */
  isFiltered: boolean
}

/** What a sandboxed program says it was not allowed to do, from the words of the C library, Node, Python, LLVM and shells. */
export function refusals(
  stderr: string,
  { hasNetwork, stopped }: { hasNetwork: boolean; stopped: StopReason },
): ProcessOutcome['refused'] {
  const isWrite = refusedWrite.test(stderr)
  const isNetwork = stopped === 'network' || (!hasNetwork && refusedNetwork.test(stderr))
  return [...(isWrite ? ['write_outside' as const] : []), ...(isNetwork ? ['network' as const] : [])]
}

const refusedWrite =
  /Read-only file system|EROFS|Permission denied|EACCES|cannot (?:create|touch|open output)[^\n]*(?:nonexistent|No such file)/i
/** 'Bad system call' is what a shell says of a program of its own that the filter ended. */
const refusedNetwork =
  /Bad system call|Network is unreachable|ENETUNREACH|Connection refused|ECONNREFUSED|EAI_AGAIN|ENOTFOUND|name resolution|Could not resolve host|Name or service not known|nodename nor servname/i

const namesByNumber = new Map<number, string>(
  // The first name of a number is the common one (SIGABRT before SIGIOT).
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
)

function signalName(number: number): string | null {
  return namesByNumber.get(number) ?? null
}

function signalNumber(name: string | null): number {
  return Object.entries(constants.signals).find(([each]) => each === name)?.[1] ?? 0
}
