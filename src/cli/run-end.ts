import type { WorkflowHandle } from '@temporalio/client'
import { z } from 'zod'
import { Artifact } from '../contracts/artifact.js'
import { ProjectedFile, ResultDocument, RunState } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { describedRun, type Place } from './described-run.js'
import { queryView } from './look-at-run.js'
import { bounded, CALL_MS } from './session.js'

/** How a run that is over ended: with its document, or (it never came so far) with a failure in words. */
export type RunEnd = { document: ResultDocument } | { failure: { type: string; message: string } }

/**
 * The end of a run, or null while it is under way. Read from history, which needs no worker; a run that was cancelled has its document in the
 * store, or tells it to a query.
 */
export async function endOfRun(
  place: Place,
  handle: WorkflowHandle,
  store: ArtifactStore | null,
): Promise<RunEnd | null> {
  const { isClosed, execution, workflowId, runId } = describedRun(
    await bounded(place, CALL_MS, () => handle.describe()),
  )
  if (!isClosed) return null
  const closed = await closedResult(place, handle)
  const document = documentIn(closed.value) ?? (await storedRun(store, workflowId, runId))?.document
  const asked = document ?? (await queryView(place, handle))?.result ?? null
  if (asked !== null) return { document: asked }
  const { type, message } = closed.failure ?? { type: 'Tool.Failed', message: 'it left no result document' }
  return { failure: { type, message: `the run ended as ${execution.toLowerCase()}: ${message}` } }
}

interface Closed {
  value: unknown
  failure: { type: string; message: string } | null
}

async function closedResult(place: Place, handle: WorkflowHandle): Promise<Closed> {
  const { WorkflowFailedError } = await import('@temporalio/client')
  const { ApplicationFailure } = await import('@temporalio/common')
  try {
    return { value: await bounded(place, CALL_MS, () => handle.result()), failure: null }
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    const { cause } = error
    if (!(cause instanceof ApplicationFailure)) {
      return { value: null, failure: { type: 'Tool.Failed', message: cause?.message ?? error.message } }
    }
    return { value: cause.details?.[0], failure: { type: cause.type ?? 'Error', message: cause.message } }
  }
}

function documentIn(value: unknown): ResultDocument | null {
  const parsed = ResultDocument.safeParse(value)
  return parsed.success ? parsed.data : null
}

const StoredRun = z.object({
  document: ResultDocument,
  state: RunState,
  /** The person's folder at the end; not there in what earlier versions stored. */
  files: z.array(ProjectedFile).optional(),
})
type StoredRun = z.infer<typeof StoredRun>

/** What a finished run left in the store, for when history or a worker is gone; null when this store has nothing of it. */
export async function storedRun(
  store: ArtifactStore | null,
  workflowId: string,
  runId: string,
): Promise<StoredRun | null> {
  const bound = Artifact.safeParse((await store?.lookup(`ended/${workflowId}/${runId}`)) ?? null)
  if (store === null || !bound.success) return null
  const stored: unknown = JSON.parse((await store.get(bound.data)).toString('utf8'))
  const parsed = StoredRun.safeParse(stored)
  return parsed.success ? parsed.data : null
}
