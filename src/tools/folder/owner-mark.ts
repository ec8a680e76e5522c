import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { hasCode, ownerProcess } from '../owner-process.js'

/** Letters and digits that name this process in a file's name: machine, process id, start of the process. */
export function ownerMark(): string {
  own ??= `${machine()}-${process.pid}-${startDigest(process.pid)}`
  return own
}

let own: string | undefined

/**
 * True when `name` begins with the mark of a process that is gone. A process of another machine or container cannot be asked
 * about: its files count as left behind after a day.
 */
export function isLeftBehind(name: string, changedAt: Date): boolean {
  const [, machineMark, pid, start] = /^([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-/.exec(name) ?? []
  if (machineMark === undefined) return false
  if (machineMark !== machine()) return Date.now() - changedAt.getTime() > 24 * 3600 * 1000
  return startDigest(Number(pid)) !== start
}

/** True for the mark of a process that can be seen from here: of this machine and this container. */
export function isOfHere(name: string): boolean {
  return name.startsWith(`${machine()}-`)
}

function startDigest(pid: number): string {
  return digest(ownerProcess(pid)?.started ?? 'gone')
}

/** Process numbers mean something within one pid namespace of one machine only. */
function machine(): string {
  machineDigest ??= digest(`${hostname()} ${pidNamespace()}`)
  return machineDigest
}

let machineDigest: string | undefined

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EACCES')) return ''
    throw error
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
