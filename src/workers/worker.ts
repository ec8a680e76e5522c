import { DefaultLogger, type NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { type Lane, queueFor, queueOf } from '../rules/task-queues.js'
import { workflowBundle } from './workflow-bundle.js'

/** What a worker is made of; see `composeWorker` for where it comes from. */
export interface WorkerSetup {
  connection: NativeConnection
  namespace: string
  /** Of the artifact store: names the task queues. */
  storeId: string
  /** By name; every lane has them all, the queue decides what comes. */
  activities: object
  lanes: readonly Lane[]
  /** Programs at once; also the slots of the tools lane. */
  toolSlots: number
}

/** A worker under way. */
export interface RunningWorker {
  /** Settles when every lane has stopped; rejects when one of them failed. */
  done: Promise<void>
  /** Stops taking work, gives activities a moment to stop their programs, and waits. */
  stop(): Promise<void>
}

/** Starts one SDK worker per lane over a shared connection. */
export async function startWorker(setup: WorkerSetup): Promise<RunningWorker> {
  const bundle = await workflowBundle()
  const workers = await Promise.all(setup.lanes.map((lane) => createLane(setup, lane, bundle)))
  const done = Promise.all(workers.map((worker) => worker.run())).then(() => undefined)
  const stop = async () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
    await done
  }
  return { done, stop }
}

/** SDK and core logs go through one logger, quiet by default. Installed once per process, before its first native connection. */
export function quietTemporal(): void {
  if (isQuiet) return
  isQuiet = true
  const level = process.env['GAUNTLET_DEBUG'] === '1' ? 'DEBUG' : 'ERROR'
  Runtime.install({
    logger: new DefaultLogger(level, ({ level: of, message }) => {
      process.stderr.write(`${of.toLowerCase()}: ${message}\n`)
    }),
    telemetryOptions: { logging: { forward: {}, filter: { core: level, other: 'ERROR' } } },
    // Ctrl-C is the command's to answer.
    shutdownSignals: [],
  })
}

let isQuiet = false

async function createLane(
  setup: WorkerSetup,
  lane: Lane,
  workflowBundleOption: Awaited<ReturnType<typeof workflowBundle>>,
): Promise<Worker> {
  const { connection, namespace, storeId, activities, toolSlots } = setup
  return await Worker.create({
    connection,
    namespace,
    taskQueue: queueFor(lane, queueOf(storeId)),
    activities,
    ...(lane === 'light' ? { workflowBundle: workflowBundleOption } : {}),
    maxConcurrentActivityTaskExecutions: { light: 50, tools: toolSlots, agents: 50 }[lane],
    maxHeartbeatThrottleInterval: '500 milliseconds',
    defaultHeartbeatThrottleInterval: '500 milliseconds',
    stickyQueueScheduleToStartTimeout: '2 seconds',
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '20 seconds',
    maxCachedWorkflows: 200,
  })
}
