import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { NativeConnection } from '@temporalio/worker'
import type { CirctSetup } from '../activities/circt-activities.js'
import { LANES, type Lane } from '../rules/task-queues.js'
import { openLocalStore } from '../tools/artifacts/local-store.js'
import { createToolchains } from '../tools/circt/toolchain.js'
import { findProgram } from '../tools/find-program.js'
import { sweepScratch } from '../tools/folder/scratch.js'
import { createPool } from '../tools/process/pool.js'
import { createRunner } from '../tools/process/runner.js'
import { detectSandbox } from '../tools/process/sandbox.js'
import type { Env } from '../tools/state-home.js'
import { connectWorker, type ServerAddress } from './connection.js'
import { ensureSearchAttributes } from './search-attributes.js'
import { quietTemporal, type RunningWorker, startWorker } from './worker.js'

export interface WorkerOptions {
  /** State home, see `stateHome`. */
  home: string
  env: Env
  server: ServerAddress
  /** Folder of the artifact store; several workers may share one. Default: `store` in the state home. */
  storePath?: string | undefined
  /** See `createToolchains`. */
  circtBin?: string | undefined
  /** A CIRCT checkout, for suggested sources. */
  circtSource?: string | undefined
  /** Default: all. */
  lanes?: readonly Lane[] | undefined
  /** Programs at once, of all activities together. Default: one per core. */
  toolSlots?: number | undefined
  progress: (line: string) => void
}

/** The composition root: opens what a worker needs, wires it, and starts the worker. */
export async function composeWorker(options: WorkerOptions): Promise<RunningWorker & { storeId: string }> {
  const { server, lanes = LANES } = options
  quietTemporal()
  const circt = await circtSetup(options)
  const connection = await connectWorker(server)
  try {
    await ensureSearchAttributes(connection, server.namespace)
    const worker = await startWorker({
      connection,
      namespace: server.namespace,
      circt,
      lanes,
      // The eager schedule has three steps under way at once; their programs share the pool, which is what costs.
      toolSlots: options.toolSlots ?? Math.max(3, circt.parallelism),
    })
    const done = closingAfter(worker.done, connection)
    return { done, stop: () => worker.stop().then(() => done), storeId: circt.store.id }
  } catch (error) {
    await connection.close()
    throw error
  }
}

async function closingAfter(done: Promise<void>, connection: NativeConnection): Promise<void> {
  try {
    await done
  } finally {
    await connection.close()
  }
}

async function circtSetup(options: WorkerOptions): Promise<CirctSetup> {
  const { home, env, circtBin, circtSource, progress } = options
  const store = await openLocalStore(options.storePath ?? join(home, 'store'))
  const scratchRoot = join(home, 'scratch')
  await sweepScratch(scratchRoot)
  const sandbox = await detectSandbox(scratchRoot)
  const slots = options.toolSlots ?? availableParallelism()
  const run = createPool(
    createRunner(sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: sandbox.kind, bwrapPath: sandbox.path }),
    slots,
  )
  const toolchains = createToolchains({ home, env, circtBin: circtBin ?? null, progress })
  return {
    run,
    store,
    toolchainFor: (version) => toolchains.toolchainFor(version),
    scratchRoot,
    isSandboxed: sandbox.kind !== 'none',
    circtSource: circtSource ?? env['CIRCT_SRC'] ?? null,
    gdb: findProgram('gdb', env),
    parallelism: slots,
  }
}
