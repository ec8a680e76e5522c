import type { WorkflowHandle } from '@temporalio/client'
import { z } from 'zod'
import { parseContract } from '../contracts/parse.js'
import { ProjectedFile, ResultDocument, RunState } from '../contracts/run.js'
import { RUN_MESSAGES } from '../rules/run-messages.js'
import { type DescribedRun, describedRun, type Place } from './described-run.js'
import { isUnanswered, QUERY_MS, bounded, CALL_MS } from './session.js'

/** A run as one look sees it. */
export interface RunLook extends DescribedRun {
  /** Null when no worker answered. */
  state: RunState | null
}

/** Asks the server how the run is, and a worker for its state. Never waits longer than `QUERY_MS` for the worker. */
export async function lookAtRun(place: Place, handle: WorkflowHandle): Promise<RunLook> {
  const described = await bounded(place, CALL_MS, () => handle.describe())
  return { ...describedRun(described), state: await queryState(place, handle) }
}

/** The state, or null when no worker answered in time. */
export async function queryState(place: Place, handle: WorkflowHandle): Promise<RunState | null> {
  return await orNull(async () => {
    const state = await bounded(place, QUERY_MS, () => handle.query<unknown>(RUN_MESSAGES.state))
    return parseContract(RunState, state, 'state of the run')
  })
}

/** State, files and result in one question, or null when no worker answered in time. */
export async function queryView(place: Place, handle: WorkflowHandle): Promise<z.infer<typeof RunView> | null> {
  return await orNull(async () => {
    const view = await bounded(place, QUERY_MS, () => handle.query<unknown>(RUN_MESSAGES.view))
    return parseContract(RunView, view, 'view of the run')
  })
}

const RunView = z.object({ state: RunState, files: z.array(ProjectedFile), result: ResultDocument.nullable() })

/** Null when nobody answered; whatever else goes wrong is thrown. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isUnanswered(error)) return null
    throw error
  }
}
