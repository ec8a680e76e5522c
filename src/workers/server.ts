import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { Failure } from '../contracts/failures.js'
import { longestFetchMs } from '../tools/download/cached-download.js'
import type { Progress } from '../tools/download/progress-meter.js'
import { acquireLock, liveLeases, takeLease, type Held } from '../tools/owned-file.js'
import { downloadCache, type Env } from '../tools/state-home.js'
import { configuredServer, isAnswering, type ServerAddress } from './connection.js'
import { isListening, lastLogLine, type ServerOrder, spawnServer, stopServer, trimLog } from './server-process.js'
import { isServerAlive, readServerRecord, serverPaths, type ServerRecord } from './server-record.js'

export interface ServerOptions {
  /** See `stateHome`. */
  home: string
  env: Env
  progress: Progress
  /** 'full' also survives a power cut, slower. Holds from the next start of the embedded server. */
  sync?: 'normal' | 'full'
  /** What the lease says this process is: 'run', 'worker', 'up', … */
  note?: string
}

export interface Server extends ServerAddress {
  uiUrl: string | null
  isEmbedded: boolean
  /** Gives the lease up; the last one out stops an embedded server. */
  release(): Promise<void>
}

/**
 * A Temporal server to work with: the configured one, else the embedded one of this state home, started when it does not run
 * (on the database and ports it had) and shared by all processes that hold a lease. Throws `Failure('Tool.Missing')` when
 * none can be had, `Failure('Tool.Failed')` when one is there but does not answer.
 */
export async function ensureServer(options: ServerOptions): Promise<Server> {
  const configured = configuredServer(options.env)
  if (configured !== null) return externalServer(configured)
  const lock = await serverLock(options)
  try {
    // Before the start: a process that is killed while starting leaves a dead lease, not a server nobody counts.
    const lease = takeLease(serverPaths(options.home).leases, options.note ?? 'run')
    try {
      return embeddedServer(options, await runningServer(options), lease)
    } catch (error) {
      lease.release()
      throw error
    }
  } finally {
    lock.release()
  }
}

async function externalServer(configured: ServerAddress): Promise<Server> {
  if (!(await isAnswering(configured, 5000))) {
    throw new Failure(
      'Tool.Failed',
      `no Temporal server answers at ${configured.address} (from the Temporal configuration)`,
    )
  }
  return { ...configured, uiUrl: null, isEmbedded: false, release: () => Promise.resolve() }
}

/** A starter may hold it for as long as a download takes. */
function serverLock({ home, progress }: Pick<ServerOptions, 'home' | 'progress'>): Promise<Held> {
  return acquireLock(serverPaths(home).lock, {
    waitMs: longestFetchMs,
    note: 'starting or stopping the Temporal server',
    onWait: (holder) => progress(`waiting for process ${holder.owner.pid}, which is ${holder.note}`),
  })
}

async function runningServer(options: ServerOptions): Promise<ServerRecord> {
  const record = readServerRecord(options.home)
  if (record !== null && isServerAlive(record)) {
    trimLog(serverPaths(options.home).log)
    if (await comesToAnswer(record, 10_000)) return record
    await stopServer(options.home)
  }
  return startServer(options)
}

async function startServer(options: ServerOptions): Promise<ServerRecord> {
  const { home, env, progress } = options
  // Most commands meet a server that runs, and what fetches one takes its time to load.
  const { ensureTemporalCli } = await import('../tools/download/temporal-cli.js')
  const cli = await ensureTemporalCli({ cache: downloadCache(home, env), env, progress })
  const synchronous = options.sync === 'full' ? 'FULL' : 'NORMAL'
  const order = { home, env, program: cli.path, synchronous } as const
  try {
    const record = await answeringServer(order)
    await keepForAYear(record)
    return record
  } catch (error) {
    await stopServer(home)
    throw error
  }
}

/** A port may be taken between the moment it was found free and the server's own start: then others are tried. */
async function answeringServer(order: ServerOrder, tries = 3): Promise<ServerRecord> {
  const record = await spawnServer(order)
  if (await comesToAnswer(record, startLimitMs)) return record
  const isTaken = !isServerAlive(record) && lastLogLine(order.home).includes('address already in use')
  if (isTaken && tries > 1) return await answeringServer({ ...order, hasNewPorts: true }, tries - 1)
  throw notAnswering(order.home, record)
}

function notAnswering(home: string, record: ServerRecord): Failure {
  const what = isServerAlive(record) ? `did not answer within ${startLimitMs / 1000} s` : 'ended at once'
  return new Failure('Tool.Failed', `the Temporal server ${what}; its log ends: ${lastLogLine(home)}`)
}

/** Waits for the first answer; false as soon as the process is gone, or after `waitMs`. */
async function comesToAnswer(record: ServerRecord, waitMs: number): Promise<boolean> {
  const end = Date.now() + waitMs
  while (isServerAlive(record) && Date.now() < end) {
    // gRPC waits a second after a refused connection, so it is asked only once somebody listens.
    if ((await isListening(record.port)) && (await isAnswering(embeddedAddress(record), 2000))) return true
    await sleep(20)
  }
  return false
}

const startLimitMs = 30_000

/** start-dev gives its namespace a day, and a run may be looked at long after it ended. */
async function keepForAYear(record: ServerRecord): Promise<void> {
  const { connectOptions, namespace } = embeddedAddress(record)
  const connection = await Connection.connect(connectOptions)
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace })
    if (Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) >= yearSeconds) return
    const workflowExecutionRetentionTtl = msToTs('365 days')
    await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } })
  } finally {
    await connection.close()
  }
}

const yearSeconds = 365 * 24 * 3600

function embeddedAddress(record: ServerRecord): ServerAddress {
  const address = `127.0.0.1:${record.port}`
  return { address, namespace: 'default', connectOptions: { address, tls: false } }
}

/** The server that a command would use now, in words for a person; null when one would have to be started. For `doctor`. */
export async function describeServer({ home, env }: Pick<ServerOptions, 'home' | 'env'>): Promise<ServerNote | null> {
  const configured = configuredServer(env)
  if (configured !== null) {
    return { detail: `${configured.address} (configured)`, isAnswering: await isAnswering(configured, 5000) }
  }
  const record = readServerRecord(home)
  if (record === null || !isServerAlive(record)) return null
  return { detail: `embedded, on port ${record.port}`, isAnswering: await isAnswering(embeddedAddress(record), 5000) }
}

export interface ServerNote {
  detail: string
  isAnswering: boolean
}

function embeddedServer(options: ServerOptions, record: ServerRecord, lease: Held): Server {
  let isReleased = false
  const release = async () => {
    if (isReleased) return
    isReleased = true
    await leaveServer(options, lease)
  }
  return { ...embeddedAddress(record), uiUrl: `http://127.0.0.1:${record.ui_port}`, isEmbedded: true, release }
}

async function leaveServer(options: ServerOptions, lease: Held): Promise<void> {
  const lock = await serverLock(options)
  try {
    lease.release()
    if (liveLeases(serverPaths(options.home).leases).length === 0) await stopServer(options.home)
  } finally {
    lock.release()
  }
}
