import { type NativeConnection, Worker } from '@temporalio/worker'
import { createRunActivities } from '../../src/activities/run-activities.js'
import type { ArtifactStore } from '../../src/contracts/store.js'
import { queueFor, queueOf } from '../../src/rules/task-queues.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import { fakeCirctActivities, type Scripts } from './circt-fakes.js'
import { memoryStore } from './memory-store.js'

export interface FakeWorkerSetup {
  connection: NativeConnection
  /** Names the queues; a fresh one per test file. */
  storeId: string
  scripts: Scripts
  calls?: string[]
  toolSlots?: number
  namespace?: string
  /** 0 replays every workflow from its history at each task: nondeterminism then shows at once. */
  maxCachedWorkflows?: number
  /** Default: the product's own. */
  bundle?: { code: string }
  /** Instead of the fakes. */
  activities?: ReturnType<typeof fakeCirctActivities>
  store?: ArtifactStore
}

/** The real workflows with activities that only wait and answer. Returns how to stop it. */
export async function startFakeWorker(setup: FakeWorkerSetup): Promise<() => Promise<void>> {
  const { connection, storeId, scripts, calls, toolSlots = 20, namespace = 'default', maxCachedWorkflows = 200 } = setup
  const { activities = fakeCirctActivities(scripts, calls), store = memoryStore(storeId) } = setup
  const queue = queueOf(storeId)
  const shared = {
    connection,
    namespace,
    stickyQueueScheduleToStartTimeout: '2 seconds',
    shutdownForceTime: '2 seconds',
  } as const
  const light = await Worker.create({
    ...shared,
    taskQueue: queue,
    workflowBundle: setup.bundle ?? (await workflowBundle()),
    activities: { ...createRunActivities(store), ...activities },
    maxCachedWorkflows,
  })
  const tools = await Worker.create({
    ...shared,
    taskQueue: queueFor('tools', queue),
    activities,
    maxConcurrentActivityTaskExecutions: toolSlots,
    maxHeartbeatThrottleInterval: '1 second',
  })
  const done = Promise.all([light.run(), tools.run()])
  return async () => {
    light.shutdown()
    tools.shutdown()
    await done
  }
}
