import { ApplicationFailure, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type * as activities from '../activities/run-activities.js'
import type { Pipeline, ResultDocument, RunFailure } from '../contracts/run.js'
import { LOCAL } from './activity-options.js'
import { now, type Run } from './run.js'

const { checkInput, storeDocument } = proxyLocalActivities<ReturnType<typeof activities.createRunActivities>>(LOCAL)

export interface End {
  status: ResultDocument['status']
  verdict: string
  /** One sentence. */
  reason: string
  result: unknown
  /** Given when the run could not do its work: the workflow then closes as failed, never green. */
  failure?: RunFailure | undefined
}

/** First step of every workflow: a run started by hand with bad input ends at once and says which field is wrong. */
export async function parseInput(pipeline: Pipeline, input: unknown): Promise<void> {
  const complaint = await checkInput({ pipeline, input })
  if (complaint !== null) {
    throw ApplicationFailure.create({ type: 'Contract.Violated', message: complaint, nonRetryable: true })
  }
}

/** Writes the result document, the last state and the person's files to the store, shows the end, and returns the document or fails with it. */
export async function endRun(run: Run, end: End): Promise<ResultDocument> {
  const { state } = run
  state.phase = 'completed'
  for (const step of state.steps) if (step.status === 'pending') step.status = 'skipped'
  state.verdict = end.verdict
  state.status = end.status
  const endedAt = now()
  state.usage.seconds = Math.max(0, (Date.parse(endedAt) - Date.parse(run.startedAt)) / 1000)
  const document: ResultDocument = {
    run_id: state.run_id,
    workflow_id: workflowInfo().workflowId,
    pipeline: state.pipeline,
    status: end.status,
    verdict: end.verdict,
    reason: end.reason,
    result: end.result,
    artifacts: state.artifacts,
    usage: state.usage,
    started_at: run.startedAt,
    ended_at: endedAt,
  }
  run.result = document
  run.show()
  await storeDocument({ document, state, files: run.files() })
  if (end.failure !== undefined) throw asApplicationFailure(end.failure, document)
  return document
}

function asApplicationFailure(failure: RunFailure, document: ResultDocument): ApplicationFailure {
  const message = failure.step === null ? failure.message : `${failure.step}: ${failure.message}`
  return ApplicationFailure.create({ type: failure.type, message, nonRetryable: true, details: [document] })
}
