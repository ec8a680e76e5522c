import type { WorkflowHandle } from '@temporalio/client'
import { WORKFLOW_TYPES } from '../rules/pipelines.js'
import { mistake } from './cli-error.js'
import { CONTINUED, type Described, type DescribedRun, describedRun, type Place } from './described-run.js'
import { newestHistory } from './newest-history.js'
import { bounded, CALL_MS } from './session.js'

/** A run that a person named. */
export interface FoundRun extends DescribedRun {
  handle: WorkflowHandle
}

/**
 * Finds the run that `name` means: its key, its workflow id or its run id. Throws `Failure('Contract.Violated')` when there is none, or several.
 */
export async function findRun(place: Place, name: string): Promise<FoundRun> {
  if (!NAME.test(name)) throw mistake('RUN', 'a key, a workflow id or a run id', JSON.stringify(name.slice(0, 120)))
  const found = new Map<string, FoundRun>()
  const ids = [name, ...PIPELINES.map((pipeline) => `${pipeline}/${name}`)]
  const [byId, byKey] = await Promise.all([Promise.all(ids.map((id) => described(place, id))), searched(place, name)])
  for (const look of byId) if (look !== null) found.set(look.workflowId, look)
  for (const look of byKey) if (!found.has(look.workflowId)) found.set(look.workflowId, look)
  const [first, ...others] = found.values()
  if (first === undefined) throw mistake('RUN', 'a run that `gauntlet list` shows', JSON.stringify(name))
  if (others.length === 0) return first
  throw mistake('RUN', 'the name of one run', `"${name}", which fits ${[...found.keys()].sort().join(', ')}`)
}

const PIPELINES = Object.keys(WORKFLOW_TYPES)

/** What a person may type as RUN; safe inside a visibility query. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,249}$/
const RUN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Sees a run at once, where the search learns of it a moment later. */
async function described({ client }: Place, workflowId: string): Promise<FoundRun | null> {
  const { WorkflowNotFoundError } = await import('@temporalio/client')
  try {
    const description = await bounded({ client }, CALL_MS, () => client.workflow.getHandle(workflowId).describe())
    return withHandle(client, description)
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null
    throw error
  }
}

/** By key, the newest run of each workflow; by run id, that run. */
async function searched({ client }: Place, name: string): Promise<FoundRun[]> {
  const query = RUN_ID.test(name)
    ? `RunId = "${name}"`
    : `GauntletKey = "${name}" AND ExecutionStatus != 'ContinuedAsNew'`
  return await bounded({ client }, CALL_MS, async () => {
    const newest = new Map<string, FoundRun>()
    for await (const info of client.workflow.list({ query, pageSize: 50 })) {
      const look = withHandle(client, await nowOf({ client }, info))
      const known = newest.get(info.workflowId)
      if (known === undefined || known.startedAt < look.startedAt) newest.set(info.workflowId, look)
      if (newest.size >= MOST_NAMED) break
    }
    return [...newest.values()]
  })
}

/** A run id may be of a history that the run has left. */
async function nowOf({ client }: Place, info: Described): Promise<Described> {
  if (info.status.name !== CONTINUED) return info
  const runId = await newestHistory({ client }, info.workflowId, info.runId)
  return await client.workflow.getHandle(info.workflowId, runId).describe()
}

const MOST_NAMED = 20

/** One that is under way is spoken to in whatever history it is by then. */
function withHandle({ workflow }: Place['client'], info: Described): FoundRun {
  const look = describedRun(info)
  const handle = workflow.getHandle(info.workflowId, look.isClosed ? info.runId : undefined)
  return { ...look, handle }
}
