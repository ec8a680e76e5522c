import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode, isOwnerAlive } from '../tools/owner-process.js'

/** What the state folder remembers of the embedded server, running or not: its ports are taken again at the next start. */
export const ServerRecord = z.object({
  owner: z.object({ pid: z.int(), started: z.string() }).nullable(),
  port: z.int().min(1).max(65_535),
  ui_port: z.int().min(1).max(65_535),
  /** SQLite's own word, 'NORMAL' or 'FULL'. */
  synchronous: z.enum(['NORMAL', 'FULL']),
})
export type ServerRecord = z.infer<typeof ServerRecord>

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
    return ServerRecord.parse(JSON.parse(readFileSync(serverPaths(home).record, 'utf8')))
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError || error instanceof z.ZodError) return null
    throw error
  }
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
