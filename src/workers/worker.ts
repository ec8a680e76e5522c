import { DefaultLogger, type NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { createCirctActivities, type CirctSetup } from '../activities/circt-activities.js'
import { createRunActivities } from '../activities/run-activities.js'
import { type Lane, queueFor, queueOf } from '../rules/task-queues.js'
import { workflowBundle } from './workflow-bundle.js'

/** What a worker is made of; see `composeWorker` for where it comes from. */
export interface WorkerSetup {
  connection: NativeConnection
  namespace: string
  circt: CirctSetup
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
  const { connection, namespace, circt, toolSlots } = setup
  const isLight = lane === 'light'
  return await Worker.create({
    connection,
    namespace,
    taskQueue: queueFor(lane, queueOf(circt.store.id)),
    activities: { ...createCirctActivities(circt), ...(isLight ? createRunActivities(circt.store) : {}) },
    ...(isLight ? { workflowBundle: workflowBundleOption } : {}),
    maxConcurrentActivityTaskExecutions: { light: 50, tools: toolSlots, agents: 50 }[lane],
    maxHeartbeatThrottleInterval: '1 second',
    defaultHeartbeatThrottleInterval: '1 second',
    stickyQueueScheduleToStartTimeout: '2 seconds',
    shutdownGraceTime: '5 seconds',
    shutdownForceTime: '20 seconds',
    maxCachedWorkflows: 200,
  })
}
