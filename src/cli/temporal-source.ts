import type { Client } from '@temporalio/client'
import type { Answer } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { RUN_MESSAGES } from '../rules/run-messages.js'
import { CONTINUED, describedRun } from './described-run.js'
import type { RunSource } from './follow-run.js'
import { orNull, queryView } from './look-at-run.js'
import { newestHistory } from './newest-history.js'
import { endOfRun } from './run-end.js'
import { bounded, CALL_MS, QUERY_MS } from './session.js'

export interface RunPlace {
  /** The present client: another one after `revive`. */
  client(): Client
  workflowId: string
  runId: string
  store: ArtifactStore | null
  revive(): Promise<void>
}

/** A run on a Temporal server, as `followRun` looks at it. */
export function temporalSource(place: RunPlace): RunSource {
  const here = () => ({ client: place.client() })
  let { runId } = place
  const handle = () => place.client().workflow.getHandle(place.workflowId, runId)
  return {
    look: () =>
      orNull(async () => {
        // Asked first: of a run that is closed then, the view is the last one.
        const { execution, isClosed } = describedRun(await bounded(here(), QUERY_MS, () => handle().describe()))
        if (execution === CONTINUED) runId = await newestHistory(here(), place.workflowId, runId)
        const view = await queryView(here(), handle())
        return view === null && !isClosed ? null : { view, isClosed }
      }),
    end: async () => {
      const end = await endOfRun(here(), handle(), place.store)
      if (end === null) throw new Error('asked for the end of a run that is under way')
      return end
    },
    answer: async (answer) => {
      await bounded(here(), CALL_MS, () =>
        handle().executeUpdate<unknown, [Answer]>(RUN_MESSAGES.answer, { args: [answer] }),
      )
    },
    revive: async () => {
      await orNull(() => place.revive())
    },
  }
}
