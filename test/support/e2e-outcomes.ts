import { defaultPayloadConverter } from '@temporalio/common'
import { connectClient } from '../../src/workers/connection.js'
import { ensureServer } from '../../src/workers/server.js'
import { testCache } from './temporal.js'

/** One activity of a workflow as its history tells it: what it was told, and what it answered or how it failed. */
export interface Told {
  activity: string
  input: Record<string, unknown>
  /** Null when it failed. */
  answer: Record<string, unknown> | null
  failure: string | null
}

/** Opens the server of a state home once more and reads the histories of these workflows. */
export async function readHistories(home: string, workflowIds: readonly string[]): Promise<Told[][]> {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'))
  const env = { ...Object.fromEntries(own), XDG_CONFIG_HOME: home, GAUNTLET_CACHE: testCache() }
  const server = await ensureServer({ home, env, progress: () => undefined })
  const client = await connectClient(server)
  try {
    return await Promise.all(workflowIds.map(async (id) => toldBy(await client.workflow.getHandle(id).fetchHistory())))
  } finally {
    await client.connection.close()
    await server.release()
  }
}

type History = Awaited<
  ReturnType<ReturnType<Awaited<ReturnType<typeof connectClient>>['workflow']['getHandle']>['fetchHistory']>
>

function toldBy({ events }: History): Told[] {
  const all = events ?? []
  return all.flatMap((event) => {
    const scheduled = event.activityTaskScheduledEventAttributes
    if (scheduled == null) return []
    const isMine = (id: unknown) => String(id) === String(event.eventId)
    const ends = all.map(
      ({ activityTaskCompletedEventAttributes: done, activityTaskFailedEventAttributes: failed }) => ({ done, failed }),
    )
    const done = ends.find((each) => isMine(each.done?.scheduledEventId))?.done
    const failed = ends.find((each) => isMine(each.failed?.scheduledEventId))?.failed
    return {
      activity: scheduled.activityType?.name ?? '',
      input: valueIn(scheduled.input) ?? {},
      answer: valueIn(done?.result),
      failure: failed?.failure?.message ?? null,
    }
  })
}

type Payloads = { payloads?: Parameters<typeof defaultPayloadConverter.fromPayload>[0][] | null } | null | undefined

function valueIn(payloads: Payloads): Record<string, unknown> | null {
  const [payload] = payloads?.payloads ?? []
  return payload === undefined ? null : defaultPayloadConverter.fromPayload(payload)
}
