import { bounded, CALL_MS, type Session } from './session.js'

/** A poll lasts a minute at most: who has not asked for longer is gone. */
const RECENT_MS = 75_000

/** True when a worker has asked this task queue for workflows within the last minute: it may still have gone away since. */
export async function hasPoller(session: Session, taskQueue: string): Promise<boolean> {
  const { workflowService } = session.client.connection
  const { pollers } = await bounded(session, CALL_MS, () =>
    workflowService.describeTaskQueue({
      namespace: session.server.namespace,
      taskQueue: { name: taskQueue },
    }),
  )
  return pollers.some(({ lastAccessTime }) => Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1000 < RECENT_MS)
}
