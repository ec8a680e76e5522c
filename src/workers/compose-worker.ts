import { join } from 'node:path'
import type { NativeConnection } from '@temporalio/worker'
import { createAgentActivities } from '../activities/agent-activities.js'
import { type CirctSetup, createCirctActivities } from '../activities/circt-activities.js'
import { createEvalActivities } from '../activities/eval-activities.js'
import { createPhaseActivities } from '../activities/phase-activities.js'
import { createRefineActivities } from '../activities/refine-activities.js'
import { createReviewActivities } from '../activities/review-activities.js'
import { createRunActivities } from '../activities/run-activities.js'
import type { AskSetup } from '../agents/ask-call.js'
import { LANES, type Lane } from '../rules/task-queues.js'
import { createToolchains } from '../tools/circt/toolchain.js'
import { setupWorktree } from '../tools/dependencies/setup-worktree.js'
import { findProgram } from '../tools/find-program.js'
import type { Env } from '../tools/state-home.js'
import { connectWorker, type ServerAddress } from './connection.js'
import { ensureSearchAttributes } from './search-attributes.js'
import { openWorkbench, type Workbench } from './workbench.js'
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
  const { home, env, server, lanes = LANES } = options
  quietTemporal()
  const storePath = options.storePath ?? join(home, 'store')
  const bench = await openWorkbench({ home, env, storePath, slots: options.toolSlots })
  const activities = openActivities(options, bench)
  const connection = await connectWorker(server)
  try {
    await ensureSearchAttributes(connection, server.namespace)
    const worker = await startWorker({
      connection,
      namespace: server.namespace,
      storeId: bench.store.id,
      activities,
      lanes,
      // The eager schedule has three steps under way at once; their programs share the pool, which is what costs.
      toolSlots: options.toolSlots ?? Math.max(3, bench.parallelism),
    })
    const done = closingAfter(worker.done, connection)
    return { done, stop: () => worker.stop().then(() => done), storeId: bench.store.id }
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

/** All that this worker can be asked to do; a pipeline adds its factory here. */
function openActivities(options: WorkerOptions, bench: Workbench) {
  return {
    ...createRunActivities(bench.store),
    ...createCirctActivities(circtSetup(options, bench)),
    ...createAgentActivities(askSetup(options, bench)),
    ...createPhaseActivities(bench),
    ...createRefineActivities(bench),
    ...createEvalActivities(bench),
    ...createReviewActivities(bench),
  }
}

function askSetup({ server }: WorkerOptions, bench: Workbench): AskSetup {
  return {
    ...bench,
    run: bench.runAtOnce,
    temporalAddress: server.address,
    prepare: async ({ folder }, signal) => {
      const { home, env, isSandboxed, runAtOnce: run } = bench
      await setupWorktree({ folder, home, env, isSandboxed, run, signal })
      return { readable: [] }
    },
  }
}

function circtSetup({ env, circtBin, circtSource, progress }: WorkerOptions, bench: Workbench): CirctSetup {
  const toolchains = createToolchains({ home: bench.home, env, circtBin: circtBin ?? null, progress, run: bench.run })
  return {
    ...bench,
    toolchainFor: (version) => toolchains.toolchainFor(version),
    circtSource: circtSource ?? env['CIRCT_SRC'] ?? null,
    gdb: findProgram('gdb', env),
  }
}
