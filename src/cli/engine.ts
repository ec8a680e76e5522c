import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import type { Lane } from '../rules/task-queues.js'
import type { Server } from '../workers/server.js'
import type { Context } from './command.js'
import { openSession } from './session.js'

/** A server and a worker of our own, for as long as a command runs. */
export interface Engine {
  /** The present connection: another one after `revive`. */
  readonly client: Client
  readonly server: Server
  readonly storeId: string
  /** Rejects when the worker broke; `revive` may help. */
  failed(): Error | null
  /** Opens again what is gone: the embedded server, the connection, the worker. */
  revive(): Promise<void>
  /** Stops the worker (the run goes on when there is one again) and leaves the server. */
  close(): Promise<void>
}

export interface EngineOptions {
  /** What the server's lease says: 'run', 'worker', 'up'. */
  note: string
  storePath: string
  circtBin?: string | undefined
  circtSource?: string | undefined
  lanes?: readonly Lane[] | undefined
  toolSlots?: number | undefined
}

export async function openEngine(context: Context, options: EngineOptions): Promise<Engine> {
  let parts = await openParts(context, options)
  return {
    get client() {
      return parts.session.client
    },
    get server() {
      return parts.session.server
    },
    get storeId() {
      return parts.worker.storeId
    },
    failed: () => parts.broken.error,
    revive: async () => {
      if (parts.broken.error === null && (await parts.session.isThere())) return
      await closeParts(parts)
      parts = await openParts(context, options)
    },
    close: () => closeParts(parts),
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(context: Context, options: EngineOptions) {
  const { composeWorker } = await import('../workers/compose-worker.js')
  const session = await openSession(context, options.note)
  try {
    const { note: _, ...rest } = options
    const progress = (line: string) => context.terminal.note(line)
    const worker = await composeWorker({
      ...rest,
      home: context.home,
      env: context.env,
      server: session.server,
      progress,
    })
    const broken: { error: Error | null } = { error: null }
    worker.done.catch((error: unknown) => {
      broken.error = error instanceof Error ? error : new Error(String(error))
    })
    return { session, worker, broken }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** A worker that cannot reach its server takes its time to stop; what it held is given to others by its heartbeats. */
async function closeParts({ worker, session, broken }: Parts): Promise<void> {
  const stopped = worker.stop().catch((error: unknown) => {
    broken.error ??= error instanceof Error ? error : new Error(String(error))
  })
  const clock = new AbortController()
  await Promise.race([stopped, sleep(STOP_MS, undefined, { signal: clock.signal }).catch(() => undefined)])
  clock.abort()
  await session.close()
}

const STOP_MS = 30_000
