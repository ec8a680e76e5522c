import { Client, Connection } from '@temporalio/client'
import { loadClientConfigProfile, toClientOptions } from '@temporalio/envconfig'
import type { NativeConnection, NativeConnectionOptions } from '@temporalio/worker'
import { Failure } from '../contracts/failures.js'
import type { Env } from '../tools/state-home.js'

/** Where a Temporal server is and how to talk to it. */
export interface ServerAddress {
  /** 'host:port' */
  address: string
  namespace: string
  /** For both kinds of connection: address, API key, TLS, metadata. */
  connectOptions: ConnectOptions
}

/** What client and worker connections have in common. */
export type ConnectOptions = Pick<NativeConnectionOptions, 'address' | 'apiKey' | 'tls' | 'metadata'>

/**
 * The server that the user's Temporal configuration names (TEMPORAL_ADDRESS, TEMPORAL_PROFILE, the configuration file), or
 * null when it names none. Throws `Failure('Contract.Violated')` when it cannot be read.
 */
export function configuredServer(env: Env): ServerAddress | null {
  const overrideEnvVars = Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  try {
    const profile = loadClientConfigProfile({ overrideEnvVars })
    if (profile.address === undefined) return null
    const { connectionOptions, namespace } = toClientOptions(profile)
    return { address: profile.address, namespace: namespace ?? 'default', connectOptions: connectionOptions }
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new Failure('Contract.Violated', `the Temporal configuration cannot be read: ${reason}`, { cause: error })
  }
}

/** A client with its connection; close `client.connection` at the end. Throws `Failure('Tool.Failed')` when nothing answers in 10 s. */
export async function connectClient(server: ServerAddress): Promise<Client> {
  const connection = await orFailure(server, Connection.connect({ ...server.connectOptions, connectTimeout: '10s' }))
  return new Client({ connection, namespace: server.namespace })
}

/** A connection for workers; close it after the last worker. Throws `Failure('Tool.Failed')` when nothing answers. */
export async function connectWorker(server: ServerAddress): Promise<NativeConnection> {
  // The native part takes a quarter of a second to load, and most commands only look.
  const { NativeConnection: Native } = await import('@temporalio/worker')
  return orFailure(server, Native.connect(server.connectOptions))
}

async function orFailure<T>(server: ServerAddress, connecting: Promise<T>): Promise<T> {
  try {
    return await connecting
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new Failure('Tool.Failed', `no Temporal server answers at ${server.address} (${reason})`, { cause: error })
  }
}

/** True when a Temporal server answers there within `waitMs`. */
export async function isAnswering(server: ServerAddress, waitMs: number): Promise<boolean> {
  try {
    const connection = await Connection.connect({ ...server.connectOptions, connectTimeout: waitMs })
    await connection.close()
    return true
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}
