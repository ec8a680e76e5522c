import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOwnerAlive, type OwnerProcess, ownerProcess } from '../owner-process.js'
import { codeOf } from './error-code.js'
import { argvOf, environmentOf, folderOf, runningPids } from './process-table.js'

/** The variable that finds the processes of an order again when they left its tree. */
export const markName = 'GAUNTLET_PROCESS'

/**
 * Ends what killed owners left running in their scratch folders, given by the folders' own names, which hold the owner: sandboxes
 * that name such a folder, and marked programs without a sandbox that work in one. Waits for their end, two seconds at most.
 * Returns how many there were. Linux only: elsewhere nothing is found.
 */
export async function endLeftovers(folderNames: ReadonlySet<string>): Promise<number> {
  if (folderNames.size === 0) return 0
  const left = runningPids().flatMap((pid) => leftover(pid, folderNames))
  const end = performance.now() + 2000
  for (let alive = left; alive.length > 0 && performance.now() < end; alive = alive.filter(isOwnerAlive)) {
    for (const process of alive) killExactly(process)
    await sleep(5)
  }
  return left.length
}

/** Who it is comes before what it does: a number that is given to another process in between is then seen to be another's. */
function leftover(pid: number, folderNames: ReadonlySet<string>): OwnerProcess[] {
  const process = ownerProcess(pid)
  return process !== null && (isSandbox(pid, folderNames) || isMarked(pid, folderNames)) ? [process] : []
}

/**
 * bubblewrap's own processes: the one outside, and the one inside that waits for it to go on. Killed while it sets a sandbox up,
 * bubblewrap leaves the second one waiting for ever; killed a moment earlier, the worker leaves both.
 */
function isSandbox(pid: number, folderNames: ReadonlySet<string>): boolean {
  const argv = argvOf(pid)
  const isOurs = basename(argv[0] ?? '') === 'bwrap' && argv.includes('--json-status-fd')
  return isOurs && argv.some((word) => isWithin(word, folderNames))
}

function isMarked(pid: number, folderNames: ReadonlySet<string>): boolean {
  if (!isWithin(folderOf(pid), folderNames)) return false
  return environmentOf(pid).some((entry) => entry.startsWith(`${markName}=`))
}

function isWithin(path: string, folderNames: ReadonlySet<string>): boolean {
  return path.split('/').some((name) => folderNames.has(name))
}

function killExactly(owner: OwnerProcess): void {
  if (!isOwnerAlive(owner)) return
  try {
    process.kill(owner.pid, 'SIGKILL')
  } catch (error) {
    // Gone meanwhile, or another user's.
    if (codeOf(error) !== 'ESRCH' && codeOf(error) !== 'EPERM') throw error
  }
}
