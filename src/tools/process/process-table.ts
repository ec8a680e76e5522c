import { closeSync, openSync, readFileSync, readSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { codeOf } from './error-code.js'

/** What the kernel says of one process. Linux only: without /proc every question here answers "nothing". */
export interface ProcessFacts {
  pid: number
  /** Resident now, and at its highest, bytes. */
  residentBytes: number
  highestBytes: number
  threads: number
}

/** Null when the process is gone or only waits to be reaped. */
export function readProcess(pid: number): ProcessFacts | null {
  const status = readProc(`/proc/${pid}/status`)
  if (status === null || /^State:\s*[ZX]/m.test(status)) return null
  return {
    pid,
    residentBytes: field(status, 'VmRSS') * 1024,
    highestBytes: field(status, 'VmHWM') * 1024,
    threads: Math.max(1, field(status, 'Threads')),
  }
}

/** Bytes of the process with shared pages split among those that share them: exact but slow (milliseconds). */
export function readShareBytes(facts: ProcessFacts): number {
  const rollup = readProc(`/proc/${facts.pid}/smaps_rollup`)
  return rollup === null ? facts.residentBytes : field(rollup, 'Pss') * 1024
}

/** The children of a process, the first thousands of them at most. */
export function childrenOf(pid: number): number[] {
  // The kernel lists a child under the thread that forked it.
  return readFolder(`/proc/${pid}/task`).flatMap((thread) => {
    const list = readStart(`/proc/${pid}/task/${thread}/children`)
    return list.split(' ').slice(0, -1).map(Number)
  })
}

/** Processes whose first environment holds `entry` ('NAME=value'), wherever they have moved in the tree. */
export function processesWith(entry: string, born: PidRange = everyPid): number[] {
  return runningPids()
    .filter((pid) => isBorn(pid, born))
    .filter((pid) => environmentOf(pid).includes(entry))
}

export function runningPids(): number[] {
  return readFolder('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

/** The first environment of a process, as 'NAME=value'. */
export function environmentOf(pid: number): string[] {
  return wordsOf(`/proc/${pid}/environ`)
}

export function argvOf(pid: number): string[] {
  return wordsOf(`/proc/${pid}/cmdline`)
}

/** Where a process works; '' when it is gone or not ours to ask. */
export function folderOf(pid: number): string {
  return orNull(() => readlinkSync(`/proc/${pid}/cwd`)) ?? ''
}

/** Bytes on the disk of the files that these processes hold open and nobody can name any more, each counted once. */
export function deletedBytesOf(pids: Iterable<number>): number {
  const sizes = new Map<string, number>()
  for (const pid of pids) {
    for (const descriptor of readFolder(`/proc/${pid}/fd`)) {
      const stats = orNull(() => statSync(`/proc/${pid}/fd/${descriptor}`))
      if (stats?.isFile() === true && stats.nlink === 0) sizes.set(`${stats.dev}:${stats.ino}`, stats.blocks * 512)
    }
  }
  return [...sizes.values()].reduce((sum, each) => sum + each, 0)
}

/** Process numbers given out since some moment: those after `first`, up to and with `last`, which may have begun anew. */
export interface PidRange {
  first: number
  last: number
}

const everyPid: PidRange = { first: 0, last: Infinity }

/** The last process number given out, or null where the kernel does not tell. */
export function lastPid(): number | null {
  const last = Number(readProc('/proc/loadavg')?.trim().split(' ').at(-1))
  return Number.isInteger(last) && last > 0 ? last : null
}

function isBorn(pid: number, range: PidRange): boolean {
  if (range.first <= range.last) return pid > range.first && pid <= range.last
  return pid > range.first || pid <= range.last
}

export function isAlive(pid: number): boolean {
  const status = readProc(`/proc/${pid}/stat`)
  // The state follows the command's name, which may itself hold parentheses.
  return status !== null && !/\) [ZX] [^)]*$/.test(status)
}

function field(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

function wordsOf(path: string): string[] {
  return orNull(() => readFileSync(path, 'utf8'))?.split('\0') ?? []
}

function readProc(path: string): string | null {
  return orNull(() => readFileSync(path, 'latin1'))
}

/** Writing the list of a fork bomb's children holds up the whole machine, so it is not asked for to its end. */
function readStart(path: string): string {
  return orNull(() => readBuffer(path)) ?? ''
}

function readBuffer(path: string): string {
  const file = openSync(path, 'r')
  try {
    return buffer.toString('latin1', 0, readSync(file, buffer))
  } finally {
    closeSync(file)
  }
}

const buffer = Buffer.alloc(16_384)

function readFolder(path: string): string[] {
  return orNull(() => readdirSync(path)) ?? []
}

/** Processes end while they are read, and those of other users are not ours to read. */
function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL'].includes(codeOf(error) ?? '')) return null
    throw error
  }
}
