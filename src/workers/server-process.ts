import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../contracts/failures.js'
import { hasCode, ownerProcess, type OwnerProcess } from '../tools/owner-process.js'
import type { Env } from '../tools/state-home.js'
import { attributeNames } from './search-attributes.js'
import { isServerAlive, readServerRecord, serverPaths, writeServerRecord, type ServerRecord } from './server-record.js'

export interface ServerOrder {
  home: string
  env: Env
  /** Absolute path of the `temporal` program. */
  program: string
  synchronous: 'NORMAL' | 'FULL'
  /** True leaves the ports it had before: somebody else has taken them. */
  hasNewPorts?: boolean
}

/** Starts the server detached, on the ports it had before when they are free, and records it. It does not answer yet. */
export async function spawnServer(order: ServerOrder): Promise<ServerRecord> {
  const before = order.hasNewPorts === true ? null : readServerRecord(order.home)
  const port = await freePort(before?.port ?? 0)
  const uiPort = await freePort(before?.ui_port ?? 0)
  const paths = serverPaths(order.home)
  trimLog(paths.log)
  const log = openSync(paths.log, 'a', 0o600)
  try {
    const child = spawn(order.program, serverArguments(order, port, uiPort), {
      cwd: paths.folder,
      env: serverEnv(order.env),
      stdio: ['ignore', log, log],
      detached: true,
    })
    // A program that cannot be started has no pid, and says why in an 'error' event.
    const broken = new Promise<Error>((resolve) => child.once('error', resolve))
    if (child.pid === undefined)
      throw new Failure('Tool.Missing', `temporal cannot be started: ${(await broken).message}`)
    child.unref()
    const owner: OwnerProcess = ownerProcess(child.pid) ?? { pid: child.pid, started: 'ended at once' }
    const record = { owner, port, ui_port: uiPort, synchronous: order.synchronous }
    writeServerRecord(order.home, record)
    return record
  } finally {
    closeSync(log)
  }
}

/** WAL and NORMAL lose nothing of a killed process; FULL also survives a power cut. The poll rate is a third of the latency. */
function serverArguments(order: ServerOrder, port: number, uiPort: number): string[] {
  const address = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)]
  const pragmas = ['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', `synchronous=${order.synchronous}`]
  const tuning = ['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=2000']
  const attributes = Object.entries(attributeNames).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`])
  const quiet = ['--log-level', 'error', '--log-format', 'json']
  const database = ['--db-filename', serverPaths(order.home).database]
  return ['server', 'start-dev', ...address, ...database, ...pragmas, ...tuning, ...attributes, ...quiet]
}

/** The server outlives us: it gets no secrets of the caller's, and none of the TEMPORAL_ variables that would steer it. */
function serverEnv(env: Env): Env {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot', 'TEMP', 'USERPROFILE', 'LOCALAPPDATA', 'APPDATA']
  return Object.fromEntries(kept.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]))
}

/** `wanted` when nobody listens there, else one the system picks. */
async function freePort(wanted: number): Promise<number> {
  const port = await tryPort(wanted)
  return port ?? (await tryPort(0)) ?? wanted
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) =>
      hasCode(error, 'EADDRINUSE') || hasCode(error, 'EACCES') ? resolve(null) : reject(error),
    )
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null))
    })
  })
}

/** True when something accepts connections on this port of 127.0.0.1. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1000 })
    const settle = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket
      .once('connect', () => settle(true))
      .once('error', () => settle(false))
      .once('timeout', () => settle(false))
  })
}

/** Ends the recorded server: politely, after ten seconds by force. Nothing happens when it does not run. */
export async function stopServer(home: string): Promise<void> {
  const record = readServerRecord(home)
  if (record === null || record.owner === null) return
  await endProcess(record, 'SIGTERM', 10_000)
  await endProcess(record, 'SIGKILL', 5000)
  writeServerRecord(home, { ...record, owner: null })
}

async function endProcess(record: ServerRecord, signal: NodeJS.Signals, waitMs: number): Promise<void> {
  const end = Date.now() + waitMs
  if (record.owner === null || !isServerAlive(record)) return
  try {
    process.kill(record.owner.pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
  while (isServerAlive(record) && Date.now() < end) await sleep(20)
}

/** The log is appended to, so cutting it under a running server is safe. */
export function trimLog(path: string): void {
  if (existsSync(path) && statSync(path).size > maxLogBytes) truncateSync(path)
}

const maxLogBytes = 4_000_000

/** The last thing the server said, at most 300 characters. */
export function lastLogLine(home: string): string {
  const { log } = serverPaths(home)
  if (!existsSync(log)) return '(no log)'
  return readFileSync(log, 'utf8').trim().split('\n').at(-1)?.slice(0, 300) || '(the log is empty)'
}
