import { CONTINUED, type Place } from './described-run.js'
import { bounded, CALL_MS } from './session.js'

/** Temporal's run id of the history that a run is in just now, or ended in; `runId` is of any history of it before. */
export async function newestHistory(place: Place, workflowId: string, runId: string): Promise<string> {
  const next = await nextHistory(place, workflowId, runId)
  return next === null ? runId : await newestHistory(place, workflowId, next)
}

async function nextHistory({ client }: Place, workflowId: string, runId: string): Promise<string | null> {
  const { status } = await bounded({ client }, CALL_MS, () => client.workflow.getHandle(workflowId, runId).describe())
  if (status.name !== CONTINUED) return null
  const { history } = await bounded({ client }, CALL_MS, () =>
    client.workflowService.getWorkflowExecutionHistory({
      namespace: client.options.namespace,
      execution: { workflowId, runId },
      historyEventFilterType: CLOSE_EVENT,
    }),
  )
  return history?.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? null
}

/** temporal.api.enums.v1.HistoryEventFilterType: the last event alone. */
const CLOSE_EVENT = 2
