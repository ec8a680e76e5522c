import { createHash, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../contracts/failures.js'
import { hasCode, isOwnerAlive, ownerProcess, type OwnerProcess } from './owner-process.js'

/** What such a file says: who owns it, and what for. */
export interface OwnedFile {
  owner: OwnerProcess
  note: string
}

export interface Held {
  path: string
  /** Gives it up; a second call does nothing. */
  release(): void
}

export interface LockOptions {
  /** Longest wait for another living owner, milliseconds. */
  waitMs: number
  /** Called once, when the first try met a living owner. */
  onWait?: (holder: OwnedFile) => void
  note?: string
}

/**
 * Takes the lock at `path`, waiting for a living owner and taking over from a dead one.
 * Throws `Failure('Tool.TimedOut')` when a living owner kept it for longer than `waitMs`.
 */
export async function acquireLock(path: string, options: LockOptions): Promise<Held> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const end = Date.now() + options.waitMs
  for (let turn = 0; ; turn += 1) {
    const lock = tryLock(path, options.note ?? '')
    if (lock !== null) return lock
    const holder = readOwned(path)
    if (holder !== null && turn === 0) options.onWait?.(holder)
    if (Date.now() >= end) throw tooLong(path, holder, options.waitMs)
    await sleep(pauseMs)
  }
}

const pauseMs = 50

/** Leaves a lease in `folder`: it counts for as long as this process lives. `note` says what for. */
export function takeLease(folder: string, note: string): Held {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.lease`)
  if (!createOwned(path, note)) throw new Error(`a lease of this name exists already: ${basename(path)}`)
  return held(path)
}

/** The leases of living processes. Those of dead ones are removed: their names are never used again, so that is safe. */
export function liveLeases(folder: string): OwnedFile[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const live: OwnedFile[] = []
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.lease'))) {
    const lease = readOwned(join(folder, name))
    if (lease !== null && isOwnerAlive(lease.owner)) live.push(lease)
    else rmSync(join(folder, name), { force: true })
  }
  return live
}

/** One try: the lock, or null when somebody alive has it. */
function tryLock(path: string, note: string): Held | null {
  if (createOwned(path, note)) return held(path)
  const text = readText(path)
  if (text === null) return createOwned(path, note) ? held(path) : null
  const file = parseOwned(text)
  if (file !== null && isOwnerAlive(file.owner)) return null
  removeStale(path, text)
  return createOwned(path, note) ? held(path) : null
}

/**
 * Removes the stale file that says `text`, and never a newer one of the same name: only the holder of a second lock, named
 * after that text, may remove it, and no later file ever says the same (each holds random bytes).
 */
function removeStale(path: string, text: string): void {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const breaker = tryLock(join(dirname(path), `.stale-${digest}`), 'removing a stale lock')
  if (breaker === null) return
  if (readText(path) === text) rmSync(path, { force: true })
  breaker.release()
}

/** Creates the file with its whole content at once, so that nobody ever reads half of it. False when the name is taken. */
function createOwned(path: string, note: string): boolean {
  const owner = ownerProcess(process.pid)
  if (owner === null) throw new Error('this process cannot read its own start time')
  const token = randomBytes(8).toString('hex')
  const draft = join(dirname(path), `.draft-${process.pid}-${token}`)
  writeFileSync(draft, JSON.stringify({ owner, note, token }), { flag: 'wx', mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function held(path: string): Held {
  const mine = readText(path)
  return {
    path,
    release: () => {
      if (mine !== null && readText(path) === mine) rmSync(path, { force: true })
    },
  }
}

function readOwned(path: string): OwnedFile | null {
  const text = readText(path)
  return text === null ? null : parseOwned(text)
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Null for anything that is not ours (an empty file after a power cut): such a file has no owner and is stale. */
function parseOwned(text: string): OwnedFile | null {
  try {
    const { owner, note } = JSON.parse(text) as Partial<OwnedFile>
    if (typeof owner?.pid !== 'number' || typeof owner.started !== 'string') return null
    return { owner: { pid: owner.pid, started: owner.started }, note: typeof note === 'string' ? note : '' }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

function tooLong(path: string, holder: OwnedFile | null, waitMs: number): Failure {
  const who = holder === null ? 'another process' : `process ${holder.owner.pid} (${holder.note || 'no note'})`
  return new Failure(
    'Tool.TimedOut',
    `${basename(path)} is held by ${who}; gave up after ${Math.round(waitMs / 1000)} s`,
  )
}
