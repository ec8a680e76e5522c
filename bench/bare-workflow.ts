import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { CirctInput } from '../src/contracts/circt.js'
import { type ActivityName, optionsFor } from '../src/workflows/activity-options.js'

type Activities = Record<ActivityName, (input: unknown) => Promise<unknown>>

/** What one would write by hand for the same six activities: no state, no questions, no schedule to choose, no result document. */
export async function bareReport(input: CirctInput): Promise<unknown> {
  const { taskQueue } = workflowInfo()
  const call = (name: ActivityName, order: unknown) =>
    proxyActivities<Activities>(optionsFor(name, taskQueue, name))[name](order)
  const order = { run_id: workflowInfo().runId, case: input }
  const [reproduce, [analysis, duplicates], [minimize, validate]] = await Promise.all([
    call('reproduceCrash', order),
    call('analyzeRootCause', order).then(async (found) => [found, await call('checkDuplicates', { ...order, found })]),
    call('minimizeCase', order).then(async (found) => [found, await call('validateCase', { ...order, found })]),
  ])
  return await call('generateIssue', { ...order, reproduce, analysis, duplicates, minimize, validate })
}
