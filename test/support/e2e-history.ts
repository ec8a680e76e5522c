import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import { takeLease } from '../../src/tools/owned-file.js'
import { connectClient } from '../../src/workers/connection.js'
import { readServerRecord, serverPaths } from '../../src/workers/server-record.js'
import { until } from './e2e-cli.js'

/** One activity as history tells of it. */
export interface ActivityStory {
  name: string
  /** Worker of the attempt that ended, 'PID@HOST'. */
  identity: string
  /** Attempts, 1 when nothing happened to it. */
  attempts: number
  startedAt: number
  completed: number
}

/** A look at a run from outside, over a connection of its own. */
export interface Witness {
  client: Client
  stories(): Promise<ActivityStory[]>
  /** Attempts under way: the activity, its worker, what its heartbeats say. */
  pending(): Promise<PendingAttempt[]>
  isClosed(): Promise<boolean>
  /** When the run was started, by the server's clock (this machine's). */
  startedAt(): Promise<number>
  /** Waits for the first thing a worker did on the run after `since`; returns the moment. Null when the run was over already. */
  movedAfter(since: number): Promise<number | null>
  /** Moment at which the server took a person's order. */
  orderedAt(): Promise<number>
  close(): Promise<void>
}

export interface PendingAttempt {
  name: string
  identity: string
  isStarted: boolean
  /** From 1. */
  attempt: number
  heartbeat: unknown
}

/**
 * Looks at a run of the embedded server of `home`, and holds a lease so that no command stops the server meanwhile. Make a new one after
 * the server was killed.
 */
export async function openWitness(home: string, workflowId: string): Promise<Witness> {
  const record = readServerRecord(home)
  if (record === null) throw new Error(`no server was ever started in ${home}`)
  const lease = takeLease(serverPaths(home).leases, 'a witness')
  const address = `127.0.0.1:${record.port}`
  const client = await connectClient({ address, namespace: 'default', connectOptions: { address, tls: false } })
  const handle = client.workflow.getHandle(workflowId)
  const events = async () => (await handle.fetchHistory()).events ?? []
  const describe = () => handle.describe()
  await until(`the run ${workflowId}`, () => isThere(describe))

  async function stories(): Promise<ActivityStory[]> {
    const all = await events()
    return all.flatMap((event) => {
      const scheduled = event.activityTaskScheduledEventAttributes
      if (scheduled == null) return []
      const mine = (id: unknown) => String(id) === String(event.eventId)
      const started = all.find((each) => mine(each.activityTaskStartedEventAttributes?.scheduledEventId))
      const details = started?.activityTaskStartedEventAttributes
      return {
        name: scheduled.activityType?.name ?? '',
        identity: details?.identity ?? '',
        attempts: details?.attempt ?? 0,
        startedAt: milliseconds(started?.eventTime),
        completed: all.filter((each) => mine(each.activityTaskCompletedEventAttributes?.scheduledEventId)).length,
      }
    })
  }

  async function pending(): Promise<PendingAttempt[]> {
    const { raw } = await describe()
    return (raw.pendingActivities ?? []).map((activity) => {
      const payload = activity.heartbeatDetails?.payloads?.[0]
      return {
        name: activity.activityType?.name ?? '',
        identity: activity.lastWorkerIdentity ?? '',
        isStarted: Number(activity.state) === STARTED,
        attempt: activity.attempt ?? 0,
        heartbeat: payload == null ? undefined : defaultPayloadConverter.fromPayload(payload),
      }
    })
  }

  async function movedAt(since: number): Promise<number | null> {
    const { raw } = await describe()
    const retried = (raw.pendingActivities ?? []).map((activity) => milliseconds(activity.lastStartedTime))
    const done = (await events()).filter((event) => BY_WORKERS.includes(Number(event.eventType)))
    const moments = [...retried, ...done.map((event) => milliseconds(event.eventTime))].filter((at) => at > since)
    return moments.length === 0 ? null : Math.min(...moments)
  }

  async function movedAfter(since: number): Promise<number | null> {
    let moved: number | null = null
    await until('a sign of life of the run', async () => {
      moved = await movedAt(since)
      return moved !== null || (await isClosed())
    })
    return moved
  }

  async function isClosed(): Promise<boolean> {
    return (await describe()).status.name !== 'RUNNING'
  }

  async function orderedAt(): Promise<number> {
    const orders = (await events()).filter((event) => BY_PEOPLE.includes(Number(event.eventType)))
    return milliseconds(orders[0]?.eventTime)
  }

  const close = async () => {
    await client.connection.close()
    lease.release()
  }
  const startedAt = async () => (await describe()).startTime.getTime()
  return {
    client,
    stories,
    pending,
    isClosed,
    startedAt,
    movedAfter,
    orderedAt,
    close,
  }
}

/** temporal.api.enums.v1.PendingActivityState. */
const STARTED = 2

/** temporal.api.enums.v1.EventType: a workflow task or an activity task was started or completed by a worker. */
const BY_WORKERS = [6, 7, 11, 12]

/** The same: a signal came, or a cancel request. */
const BY_PEOPLE = [26, 20]

async function isThere(describe: () => Promise<unknown>): Promise<boolean> {
  try {
    await describe()
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}

function milliseconds(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return time == null ? 0 : Number(time.seconds ?? 0) * 1000 + (time.nanos ?? 0) / 1e6
}
