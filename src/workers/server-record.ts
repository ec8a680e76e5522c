import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode, isOwnerAlive, type OwnerProcess } from '../tools/owner-process.js'

/** What the state folder remembers of the embedded server, running or not: its ports are taken again at the next start. */
export interface ServerRecord {
  /** Null when it was stopped. */
  owner: OwnerProcess | null
  port: number
  ui_port: number
  /** SQLite's own word. */
  synchronous: 'NORMAL' | 'FULL'
}

/** Where the embedded server keeps its things, below the state home. */
export function serverPaths(home: string) {
  const folder = join(home, 'server')
  return {
    folder,
    database: join(folder, 'temporal.sqlite'),
    log: join(folder, 'server.log'),
    record: join(folder, 'server.json'),
    lock: join(folder, 'server.lock'),
    leases: join(folder, 'leases'),
  }
}

/** Null when there is none, or none that can be read: then the server is started on fresh ports. */
export function readServerRecord(home: string): ServerRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(serverPaths(home).record, 'utf8'))
    return isServerRecord(value) ? value : null
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw error
  }
}

/** By hand, as nearly every command asks it and zod takes a fifteenth of a second to load. */
function isServerRecord(value: unknown): value is ServerRecord {
  if (typeof value !== 'object' || value === null) return false
  const { owner, port, ui_port, synchronous } = value as Partial<Record<keyof ServerRecord, unknown>>
  const hasPorts = [port, ui_port].every((each) => Number.isInteger(each) && Number(each) > 0 && Number(each) < 65_536)
  return hasPorts && (owner === null || isOwner(owner)) && (synchronous === 'NORMAL' || synchronous === 'FULL')
}

function isOwner(value: unknown): value is OwnerProcess {
  if (typeof value !== 'object' || value === null) return false
  const { pid, started } = value as Partial<Record<keyof OwnerProcess, unknown>>
  return Number.isSafeInteger(pid) && typeof started === 'string'
}

export function writeServerRecord(home: string, record: ServerRecord): void {
  const path = serverPaths(home).record
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    writeFileSync(draft, JSON.stringify(record), { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** True while the recorded process, and no other of its number, runs. */
export function isServerAlive(record: ServerRecord | null): boolean {
  return record?.owner != null && isOwnerAlive(record.owner)
}
