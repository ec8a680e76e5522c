import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger, type NativeConnection, Worker } from '@temporalio/worker'
import { createAgentActivities } from '../../src/activities/agent-activities.js'
import { createRunActivities } from '../../src/activities/run-activities.js'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { queueFor, queueOf } from '../../src/rules/task-queues.js'

let bundle: Promise<{ code: string }> | undefined

/** The workflow `asks`, which only asks agents. */
export async function asksBundle(): Promise<{ code: string }> {
  const workflowsPath = fileURLToPath(new URL('../fixtures/workflows/asks.ts', import.meta.url))
  return await (bundle ??= bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }))
}

export type DoorActivities = Pick<ReturnType<typeof createAgentActivities>, 'askAgent' | 'closeAgents'>

export interface DoorWorker {
  connection: NativeConnection
  storeId: string
  door: AskSetup
  /** Instead of the door's own. */
  activities?: DoorActivities
}

/** Workers for `asks`: its own lane, and the agents'. Returns how to stop them. */
export async function startDoorWorker({
  connection,
  storeId,
  door,
  activities,
}: DoorWorker): Promise<() => Promise<void>> {
  const queue = queueOf(storeId)
  const shared = { connection, stickyQueueScheduleToStartTimeout: '2 seconds', shutdownForceTime: '2 seconds' } as const
  const light = await Worker.create({
    ...shared,
    taskQueue: queue,
    workflowBundle: await asksBundle(),
    activities: createRunActivities(door.store),
  })
  const agents = await Worker.create({
    ...shared,
    taskQueue: queueFor('agents', queue),
    activities: activities ?? createAgentActivities(door),
    maxHeartbeatThrottleInterval: '500 milliseconds',
    defaultHeartbeatThrottleInterval: '500 milliseconds',
  })
  const done = Promise.all([light.run(), agents.run()])
  return async () => {
    light.shutdown()
    agents.shutdown()
    await done
  }
}
