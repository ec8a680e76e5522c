import { WORKFLOW_TYPES } from './pipelines.js'

/** One line of `gauntlet list`. */
export interface ListedRun {
  workflow_id: string
  run_id: string
  pipeline: string | null
  key: string | null
  /** Of the run itself; Temporal's own word where the run could not say its end. */
  status: string
  is_waiting: boolean
  started_at: string
  ended_at: string | null
}

/** What visibility says of one run. */
export interface VisibleRun {
  workflowId: string
  runId: string
  /** 'RUNNING', 'COMPLETED', 'FAILED', … */
  execution: string
  startedAt: string
  closedAt: string | null
  /** Search attributes; anything may be missing where somebody started the workflow by hand. */
  attributes: { pipeline: unknown; status: unknown; waiting: unknown; key: unknown }
}

export function listedRun({ workflowId, runId, execution, startedAt, closedAt, attributes }: VisibleRun): ListedRun {
  return {
    workflow_id: workflowId,
    run_id: runId,
    pipeline: textOrNull(attributes.pipeline),
    key: textOrNull(attributes.key),
    status: statusOf(execution, textOrNull(attributes.status)),
    is_waiting: attributes.waiting === true && execution === 'RUNNING',
    started_at: startedAt,
    ended_at: closedAt,
  }
}

/**
 * Visibility's query for what was asked. A status that only Temporal knows (terminated, timed out) is asked of Temporal; so is `failed`, since a run
 * with bad input ends before it can say so.
 */
export function visibilityQuery({ status, isWaiting }: { status: string | null; isWaiting: boolean }): string {
  // A history that a run has left is not another run.
  const parts = [`WorkflowType IN (${TYPES})`, "ExecutionStatus != 'ContinuedAsNew'"]
  const execution = EXECUTIONS[status ?? '']
  if (execution !== undefined) parts.push(`ExecutionStatus = '${execution}'`)
  else if (status !== null) parts.push(`GauntletStatus = '${status}'`)
  if (isWaiting) parts.push("GauntletWaiting = true AND ExecutionStatus = 'Running'")
  return parts.join(' AND ')
}

const TYPES = Object.values(WORKFLOW_TYPES)
  .map((type) => `'${type}'`)
  .join(', ')

const EXECUTIONS: Record<string, string | undefined> = {
  failed: 'Failed',
  terminated: 'Terminated',
  timed_out: 'TimedOut',
}

const LIVE = ['running', 'waiting', 'paused']

/** A run that is over but last said it was running was stopped from outside. */
function statusOf(execution: string, told: string | null): string {
  const isOver = execution !== 'RUNNING'
  if (told === null || (isOver && LIVE.includes(told))) return execution.toLowerCase()
  return told
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
