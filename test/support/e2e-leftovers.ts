import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readServerRecord } from '../../src/workers/server-record.js'
import type { Place } from './e2e-cli.js'

export const hasProc = existsSync('/proc/self/status')

/** Command lines of living programs that name this folder or work in it; the engine's own processes are left out. */
export function programsIn(place: Place): string[] {
  if (!hasProc) return []
  const server = readServerRecord(place.home)?.owner?.pid
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && Number(name) !== server)
  return pids.flatMap((pid) => {
    const argv = textOf(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      .split('\0')
      .filter(Boolean)
    const cwd = textOf(() => readlinkSync(`/proc/${pid}/cwd`))
    if (argv.some((word) => word.endsWith('bin/gauntlet'))) return []
    const isOurs = argv.some((word) => word.includes(place.root)) || cwd.startsWith(join(place.home, 'scratch'))
    return isOurs ? [`${pid} ${argv.join(' ').slice(0, 200)}`] : []
  })
}

/**
 * What lives on two seconds after a kill. The kernel takes a killed worker's programs with it, but a sandbox that was being set up
 * in that very moment stays until the next worker of the same state home (docs/decisions/0006): see `stillThere`.
 */
export async function orphansOf(place: Place): Promise<string[]> {
  const end = Date.now() + 2_000
  while (programsIn(place).length > 0 && Date.now() < end) await sleep(20)
  return programsIn(place)
}

/** The orphans that the next worker of the state home did not end. */
export function stillThere(place: Place, orphans: readonly string[]): string[] {
  const now = programsIn(place)
  return orphans.filter((program) => now.includes(program))
}

/** What a run or its processes may leave in a state home by mistake: scratch folders, locks, leases, half-written files. */
export function leftoversIn(home: string): string[] {
  return ['scratch', 'server/leases', 'store/temporary', 'server', 'runs'].flatMap((folder) => {
    const names = existsSync(join(home, folder)) ? readdirSync(join(home, folder)) : []
    const isKept = (name: string) =>
      folder === 'server' && /^(?:leases|server\.json|server\.log|temporal\.sqlite.*)$/u.test(name)
    return names.filter((name) => !isKept(name)).map((name) => `${folder}/${name}`)
  })
}

export function hasServer(home: string): boolean {
  const pid = readServerRecord(home)?.owner?.pid
  return pid !== undefined && existsSync(`/proc/${pid}`)
}

/** A process may end while it is read. */
function textOf(read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ''
    throw error
  }
}
