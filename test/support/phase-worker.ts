import { type NativeConnection, Worker } from '@temporalio/worker'
import { createRunActivities } from '../../src/activities/run-activities.js'
import type { ArtifactStore } from '../../src/contracts/store.js'
import { queueFor, queueOf } from '../../src/rules/task-queues.js'
import { workflowBundle } from '../../src/workers/workflow-bundle.js'
import { fakePhaseActivities, type PhaseScene } from './phase-fakes.js'

export interface PhaseWorkerSetup {
  connection: NativeConnection
  store: ArtifactStore
  scenes: ReadonlyMap<string, PhaseScene>
  maxCachedWorkflows?: number
}

/** The real workflows with activities that answer from scenes. Returns how to stop it. */
export async function startPhaseWorker({
  connection,
  store,
  scenes,
  maxCachedWorkflows = 200,
}: PhaseWorkerSetup): Promise<() => Promise<void>> {
  const queue = queueOf(store.id)
  const activities = fakePhaseActivities(scenes, store)
  const shared = { connection, stickyQueueScheduleToStartTimeout: '2 seconds', shutdownForceTime: '2 seconds' } as const
  const light = await Worker.create({
    ...shared,
    taskQueue: queue,
    workflowBundle: await workflowBundle(),
    activities: { ...createRunActivities(store), ...activities },
    maxCachedWorkflows,
  })
  const lanes = (['tools', 'agents'] as const).map((lane) =>
    Worker.create({
      ...shared,
      taskQueue: queueFor(lane, queue),
      activities,
      maxHeartbeatThrottleInterval: '500 milliseconds',
      defaultHeartbeatThrottleInterval: '500 milliseconds',
    }),
  )
  const workers = [light, ...(await Promise.all(lanes))]
  const done = Promise.all(workers.map((worker) => worker.run()))
  return async () => {
    for (const worker of workers) worker.shutdown()
    await done
  }
}
