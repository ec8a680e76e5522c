import { existsSync } from 'node:fs'
import type { Client } from '@temporalio/client'
import { Failure } from '../contracts/failures.js'
import type { Server } from '../workers/server.js'
import type { Context } from './command.js'

/** A connection to the server that holds the runs. */
export interface Session {
  /** The present ones: others after `revive`. */
  readonly server: Server
  readonly client: Client
  /** True while the server answers. */
  isThere(): Promise<boolean>
  /** Starts an embedded server that is gone again, and connects to it; does nothing while it answers. */
  revive(): Promise<void>
  close(): Promise<void>
}

export async function openSession(context: Context, note: string): Promise<Session> {
  let present = await connect(context, note)
  const isThere = () => answers(context, present.server)
  return {
    get server() {
      return present.server
    },
    get client() {
      return present.client
    },
    isThere,
    revive: async () => {
      if (!present.server.isEmbedded || (await isThere())) return
      await present.close()
      present = await connect(context, note)
    },
    close: () => present.close(),
  }
}

/** Of an embedded server whose process is gone nobody waits for an answer. */
async function answers({ home }: Context, server: Server): Promise<boolean> {
  const { isServerAlive, readServerRecord } = await import('../workers/server-record.js')
  if (server.isEmbedded && !isServerAlive(readServerRecord(home))) return false
  const { isAnswering } = await import('../workers/connection.js')
  return await isAnswering(server, QUERY_MS)
}

/** Loads the client and the server's code only here: `--help` and `completion` do without. */
async function connect(context: Context, note: string): Promise<Pick<Session, 'server' | 'client' | 'close'>> {
  const { ensureServer } = await import('../workers/server.js')
  const { connectClient } = await import('../workers/connection.js')
  const server = await ensureServer({ ...place(context), note, progress: (line) => context.terminal.note(line) })
  try {
    const client = await connectClient(server)
    const close = async () => {
      await client.connection.close()
      await server.release()
    }
    return { server, client, close }
  } catch (error) {
    await server.release()
    throw error
  }
}

/**
 * For commands that look at runs: null when there can be none, because no server is configured and the embedded one never ran here.
 * Otherwise `work` gets a session, which is closed afterwards.
 */
export async function withSession<T>(context: Context, work: (session: Session) => Promise<T>): Promise<T | null> {
  if (!(await hasRuns(context))) return null
  const session = await openSession(context, 'a look at the runs')
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

/** As `withSession`, for commands that need a run to work on. */
export async function withRuns<T>(context: Context, work: (session: Session) => Promise<T>): Promise<T> {
  const done = await withSession(context, async (session) => ({ value: await work(session) }))
  if (done === null) throw new Failure('Contract.Violated', 'RUN: expected a known run, but there are no runs yet')
  return done.value
}

async function hasRuns(context: Context): Promise<boolean> {
  const { serverPaths } = await import('../workers/server-record.js')
  if (existsSync(serverPaths(context.home).database)) return true
  const { configuredServer } = await import('../workers/connection.js')
  return configuredServer(context.env) !== null
}

function place({ home, env }: Context) {
  return { home, env }
}

/** One call to the server that never waits longer than `ms`. */
export async function bounded<T>({ client }: Pick<Session, 'client'>, ms: number, call: () => Promise<T>): Promise<T> {
  return await client.connection.withDeadline(Date.now() + ms, call)
}

/** A query needs a worker: without one it must not hang. */
export const QUERY_MS = 5000
/** For calls that the server answers by itself. */
export const CALL_MS = 10_000

/** gRPC's number of what went wrong, somewhere below the SDK's own errors; null when it was no call that failed. */
export function grpcCode(error: unknown): number | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'number') return at.code
  }
  return null
}

export const GRPC = { cancelled: 1, deadline: 4, notFound: 5, precondition: 9, unavailable: 14 } as const

/** True when nobody answered: the server is away, or no worker took the query. */
export function isUnanswered(error: unknown): boolean {
  const code = grpcCode(error)
  const codes: readonly number[] = [GRPC.cancelled, GRPC.deadline, GRPC.precondition, GRPC.unavailable]
  return code !== null && codes.includes(code)
}
