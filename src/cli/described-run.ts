import type { Client, WorkflowExecutionInfo } from '@temporalio/client'

/** A run as the server describes it, without a worker's help. */
export interface DescribedRun {
  workflowId: string
  runId: string
  /** Temporal's own word: 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED', 'TERMINATED', 'TIMED_OUT', … */
  execution: string
  isClosed: boolean
  startedAt: string
  closedAt: string | null
}

export type Place = { client: Client }

type DescribedField = 'workflowId' | 'runId' | 'status' | 'startTime' | 'closeTime'

export function describedRun(described: Pick<WorkflowExecutionInfo, DescribedField>): DescribedRun {
  const { workflowId, runId, status, startTime, closeTime } = described
  return {
    workflowId,
    runId,
    execution: status.name,
    isClosed: status.name !== 'RUNNING',
    startedAt: startTime.toISOString(),
    closedAt: closeTime?.toISOString() ?? null,
  }
}

export const NO_WORKER = 'no worker is running: start one with `gauntlet worker`'
