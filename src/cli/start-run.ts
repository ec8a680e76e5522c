import type { Client, WorkflowHandle } from '@temporalio/client'
import type { CirctInput } from '../contracts/circt.js'
import { Failure } from '../contracts/failures.js'
import { queueOf } from '../rules/task-queues.js'
import { endOfRun } from './run-end.js'
import { bounded, CALL_MS } from './session.js'

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
 * Starts the circt pipeline, or attaches to the run of this key when its input is the same. A run that failed, was cancelled or aborted is started
 * anew. Throws `Failure('Contract.Violated')` when the key belongs to a run with other input.
 */
export async function startCirct(client: Client, input: CirctInput, { storeId }: StartOptions): Promise<StartedRun> {
  const first = await tryStart(client, input, { storeId, isRepeat: false })
  if (first !== null) return first
  const workflowId = workflowIdOf(input)
  const there = await bounded({ client }, CALL_MS, () => client.workflow.getHandle(workflowId).describe())
  if (there.memo?.['input_digest'] !== input.input_digest) {
    const message = `key "${input.crash_id}" belongs to a run with other input; choose another with --key`
    throw new Failure('Contract.Violated', `--key: ${message}`)
  }
  const handle = client.workflow.getHandle(workflowId, there.runId)
  if (await wasAborted(client, handle)) {
    const second = await tryStart(client, input, { storeId, isRepeat: true })
    if (second !== null) return second
  }
  return { handle, workflowId, runId: there.runId, isNew: false }
}

export function workflowIdOf({ crash_id }: Pick<CirctInput, 'crash_id'>): string {
  return `circt/${crash_id}`
}

/** Null when the key is taken. */
async function tryStart(
  client: Client,
  input: CirctInput,
  { storeId, isRepeat }: StartOptions & { isRepeat: boolean },
): Promise<StartedRun | null> {
  const { WorkflowExecutionAlreadyStartedError } = await import('@temporalio/client')
  const workflowId = workflowIdOf(input)
  try {
    const handle = await bounded({ client }, CALL_MS, async () =>
      client.workflow.start('circtBugReport', {
        workflowId,
        taskQueue: queueOf(storeId),
        args: [input],
        workflowIdReusePolicy: isRepeat ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
        workflowIdConflictPolicy: 'FAIL',
        // A worker killed in the middle of a decision holds the run for so long; Temporal's own word is ten seconds.
        workflowTaskTimeout: '5 seconds',
        memo: { input_digest: input.input_digest },
        typedSearchAttributes: await attributesOf(input),
        staticSummary: `circt: ${input.crash_id}`,
        staticDetails: `Bug report for \`${input.names.source_file}\`, run by \`${input.command.tool}\`, schedule ${input.schedule}`,
      }),
    )
    const runId = handle.firstExecutionRunId
    return { handle: client.workflow.getHandle(workflowId, runId), workflowId, runId, isNew: true }
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    throw error
  }
}

async function attributesOf(input: CirctInput) {
  const { defineSearchAttributeKey } = await import('@temporalio/common')
  return [
    { key: defineSearchAttributeKey('GauntletPipeline', 'KEYWORD'), value: 'circt' },
    { key: defineSearchAttributeKey('GauntletStatus', 'KEYWORD'), value: 'running' },
    { key: defineSearchAttributeKey('GauntletWaiting', 'BOOL'), value: false },
    { key: defineSearchAttributeKey('GauntletKey', 'KEYWORD'), value: input.crash_id },
  ]
}

/** An aborted run closes as completed, with what was done until then; who asks for it again wants it to go on. */
async function wasAborted(client: Client, handle: WorkflowHandle): Promise<boolean> {
  const end = await endOfRun({ client }, handle, null)
  return end !== null && 'document' in end && end.document.status === 'aborted'
}
