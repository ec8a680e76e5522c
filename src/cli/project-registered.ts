import type { Client } from '@temporalio/client'
import { Failure } from '../contracts/failures.js'
import { openProjection, type Projection } from '../tools/case-folder/project-files.js'
import type { Context } from './command.js'
import { describedRun } from './described-run.js'
import { queryView } from './look-at-run.js'
import { openStore } from './open-store.js'
import { forgetRun, type RegisteredRun, registeredRuns } from './run-registry.js'
import { bounded, CALL_MS } from './session.js'

/** Writes the files of all runs that were started on this host into their folders, as they are now; call it again and again. */
export function projectRegistered(context: Context): (place: { readonly client: Client }) => Promise<void> {
  const projections = new Map<string, Projection>()
  const refused = new Set<string>()
  return async (place) => {
    for (const run of await registeredRuns(context.home)) {
      if (refused.has(run.workflow_id)) continue
      const note = (line: string) => context.terminal.note(`${run.workflow_id}: ${line}`)
      const projection =
        projections.get(run.workflow_id) ?? openProjection(run.folder, await openStore(run.store), note)
      projections.set(run.workflow_id, projection)
      try {
        await projectRun(context, place.client, { run, projection })
      } catch (error) {
        // A folder that is gone, or a run the server no longer knows, is no reason to stop serving the others.
        if (!(error instanceof Failure) && !isGone(error)) throw error
        refused.add(run.workflow_id)
        context.terminal.note(`${run.workflow_id}: its files are not written any more: ${(error as Error).message}`)
      }
    }
  }
}

async function projectRun(
  context: Context,
  client: Client,
  { run, projection }: { run: RegisteredRun; projection: Projection },
): Promise<void> {
  const handle = client.workflow.getHandle(run.workflow_id)
  const { isClosed } = describedRun(await bounded({ client }, CALL_MS, () => handle.describe()))
  const view = await queryView({ client }, handle)
  if (view === null) return
  await projection.write(view.files)
  if (!isClosed) return
  await forgetRun(context.home, run.workflow_id)
  context.terminal.note(`${run.workflow_id} is over; its files are in place`)
}

function isGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'WorkflowNotFoundError'
}
