import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process named so that a later one with the same number is told apart. */
export interface OwnerProcess {
  pid: number
  /** When it started, in the platform's own words; '' where the platform does not tell. */
  started: string
}

/** Names a running process; null when there is none with this number (a zombie counts as none). */
export function ownerProcess(pid: number): OwnerProcess | null {
  const started = startOf(pid)
  return started === null ? null : { pid, started }
}

/** True while exactly this process runs. */
export function isOwnerAlive(owner: OwnerProcess): boolean {
  return startOf(owner.pid) === owner.started
}

function startOf(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') return linuxStart(pid)
  if (process.platform === 'win32') return isRunning(pid) ? '' : null
  return psStart(pid)
}

/**
 * Field 22 of /proc/PID/stat: clock ticks since boot, hence the boot's own id beside it. A killed program of many threads is a
 * zombie while some of them still close its files and ports: it is gone only when one thread (field 20) is left.
 */
function linuxStart(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The second field is the program's name in brackets and may itself hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  const ticks = fields[19]
  if (ticks === undefined || state === 'X' || (state === 'Z' && fields[17] === '1')) return null
  bootId ??= readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${ticks}@${bootId}`
}

let bootId: string | undefined

function psStart(pid: number): string | null {
  if (!isRunning(pid)) return null
  // One -o for each column: elsewhere than on Linux everything after a '=' is the column's title.
  const argv = ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }
  const { error, status, stdout } = spawnSync('ps', argv, { encoding: 'utf8', timeout: 5000, env })
  if (error !== undefined) return ''
  const [state, ...start] = stdout.trim().split(/\s+/)
  return status !== 0 || !state || state.startsWith('Z') ? null : start.join(' ')
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return null
    throw error
  }
}

/** True for a Node system error with this code, like 'ENOENT'. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
