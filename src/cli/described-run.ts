import type { Client, WorkflowExecutionInfo } from '@temporalio/client'

/** A run as the server describes it, without a worker's help. */
export interface DescribedRun {
  workflowId: string
  /** Names the run: of one that went on in new histories, the first one's. */
  runId: string
  /** Temporal's own word: 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED', 'TERMINATED', 'TIMED_OUT', … */
  execution: string
  /** A history that was continued is closed, the run is not. */
  isClosed: boolean
  startedAt: string
  closedAt: string | null
}

export type Place = { client: Client }

/** What a description and an entry of a list have in common. */
export type Described = Pick<
  WorkflowExecutionInfo,
  'workflowId' | 'runId' | 'status' | 'startTime' | 'closeTime' | 'memo'
>

export function describedRun(described: Described): DescribedRun {
  const { workflowId, status, closeTime } = described
  return {
    workflowId,
    ...beginningOf(described),
    execution: status.name,
    isClosed: status.name !== 'RUNNING' && status.name !== CONTINUED,
    closedAt: closeTime?.toISOString() ?? null,
  }
}

/** A run that went on in a new history says in its memo what it is called and when it began. */
export function beginningOf({ runId, startTime, memo = {} }: Pick<Described, 'runId' | 'startTime' | 'memo'>) {
  const { run_id: first, started_at: began } = memo
  return {
    runId: typeof first === 'string' ? first : runId,
    startedAt: typeof began === 'string' ? began : startTime.toISOString(),
  }
}

/** Temporal's word for a history that ended because the run goes on in another. */
export const CONTINUED = 'CONTINUED_AS_NEW'

export const NO_WORKER = 'no worker is running: start one with `gauntlet worker`'
