import type { Client, WorkflowHandle } from '@temporalio/client'
import { Failure } from '../contracts/failures.js'
import type { Pipeline } from '../contracts/run.js'
import { WORKFLOW_TYPES, workflowIdOf } from '../rules/pipelines.js'
import { queueOf } from '../rules/task-queues.js'
import { describedRun } from './described-run.js'
import { endOfRun } from './run-end.js'
import { bounded, CALL_MS } from './session.js'

/** What a run is started with, whatever its pipeline. */
export interface RunStart {
  pipeline: Pipeline
  /** The business key. */
  key: string
  /** The pipeline's input contract, parsed already; the digest names what the run is about. */
  input: { readonly input_digest: string }
  /** One line for the Temporal UI, in Markdown. */
  details: string
  /** The run repository, for pipelines that work on one: `pull` fetches its branch from there. */
  repository?: string
}

/** A run that was started just now, or was there already with the same input. */
export interface StartedRun {
  handle: WorkflowHandle
  workflowId: string
  runId: string
  isNew: boolean
}

interface StartOptions {
  /** Of the artifact store: names the task queue. */
  storeId: string
}

/**
 * Starts a pipeline, or attaches to the run of this key when its input is the same. A run that failed, was cancelled or aborted is started
 * anew. Throws `Failure('Contract.Violated')` when the key belongs to a run with other input.
 */
export async function startRun(client: Client, start: RunStart, { storeId }: StartOptions): Promise<StartedRun> {
  const first = await tryStart(client, start, { storeId, isRepeat: false })
  if (first !== null) return first
  const workflowId = workflowIdOf(start.pipeline, start.key)
  const there = await bounded({ client }, CALL_MS, () => client.workflow.getHandle(workflowId).describe())
  if (there.memo?.['input_digest'] !== start.input.input_digest) {
    const message = `key "${start.key}" belongs to a run with other input; choose another with --key`
    throw new Failure('Contract.Violated', `--key: ${message}`)
  }
  const handle = client.workflow.getHandle(workflowId, there.runId)
  if (await wasAborted(client, handle)) {
    const second = await tryStart(client, start, { storeId, isRepeat: true })
    if (second !== null) return second
  }
  return { handle, workflowId, runId: describedRun(there).runId, isNew: false }
}

/** Null when the key is taken. */
async function tryStart(
  client: Client,
  start: RunStart,
  { storeId, isRepeat }: StartOptions & { isRepeat: boolean },
): Promise<StartedRun | null> {
  const { WorkflowExecutionAlreadyStartedError } = await import('@temporalio/client')
  const { pipeline, key, input, details, repository } = start
  const workflowId = workflowIdOf(pipeline, key)
  try {
    const handle = await bounded({ client }, CALL_MS, async () =>
      client.workflow.start(WORKFLOW_TYPES[pipeline], {
        workflowId,
        taskQueue: queueOf(storeId),
        args: [input],
        workflowIdReusePolicy: isRepeat ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
        workflowIdConflictPolicy: 'FAIL',
        // A worker killed in the middle of a decision holds the run for so long; Temporal's own word is ten seconds.
        workflowTaskTimeout: '5 seconds',
        memo: { input_digest: input.input_digest, ...(repository === undefined ? {} : { repository }) },
        typedSearchAttributes: await attributesOf(start),
        staticSummary: `${pipeline}: ${key}`,
        staticDetails: details,
      }),
    )
    const runId = handle.firstExecutionRunId
    return { handle: client.workflow.getHandle(workflowId, runId), workflowId, runId, isNew: true }
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    throw error
  }
}

async function attributesOf({ pipeline, key }: RunStart) {
  const { defineSearchAttributeKey } = await import('@temporalio/common')
  return [
    { key: defineSearchAttributeKey('GauntletPipeline', 'KEYWORD'), value: pipeline },
    { key: defineSearchAttributeKey('GauntletStatus', 'KEYWORD'), value: 'running' },
    { key: defineSearchAttributeKey('GauntletWaiting', 'BOOL'), value: false },
    { key: defineSearchAttributeKey('GauntletKey', 'KEYWORD'), value: key },
  ]
}

/** An aborted run closes as completed, with what was done until then; who asks for it again wants it to go on. */
async function wasAborted(client: Client, handle: WorkflowHandle): Promise<boolean> {
  const end = await endOfRun({ client }, handle, null)
  return end !== null && 'document' in end && end.document.status === 'aborted'
}
