import { proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { CirctInput } from '../src/contracts/circt.js'
import { type ActivityName, optionsFor } from '../src/workflows/activity-options.js'

type Activities = Record<ActivityName, (input: unknown) => Promise<unknown>>

/** What one would write by hand for the same six activities: no state, no questions, no schedule to choose, no result document. */
export async function bareReport(input: CirctInput): Promise<unknown> {
  const { taskQueue } = workflowInfo()
  const call = (name: ActivityName, order: unknown) =>
    proxyActivities<Activities>(optionsFor(name, taskQueue, { summary: name }))[name](order)
  const run_id = workflowInfo().runId
  const order = { run_id, case: input }
  const search = (analysis: unknown) =>
    call('checkDuplicates', { run_id, analysis, issues: input.issues, repo: input.repo })
  const [reproduce, [analysis, duplicates], [minimize, validate]] = await Promise.all([
    call('reproduceCrash', order),
    call('analyzeRootCause', order).then(async (found) => [found, await search(found)]),
    call('minimizeCase', order).then(async (found) => [
      found,
      await call('validateCase', { ...order, minimize: found }),
    ]),
  ])
  const found = { reproduce, root_cause_analysis: analysis, check_duplicates: duplicates, minimize, validate }
  return await call('generateIssue', { ...order, ...found })
}
