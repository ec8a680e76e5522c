import { z } from 'zod'
import { Failure } from '../contracts/failures.js'
import type { Context } from './command.js'
import type { FoundRun } from './find-run.js'
import { repositoryOfRun } from './repository-of-run.js'
import { endOfRun } from './run-end.js'
import { openCliGit } from './run-repository.js'
import type { Session } from './session.js'

const WithBranch = z.object({ branch: z.string().startsWith('refs/heads/') })

/**
 * Fetches the branch that a finished run left into the person's repository, as `gauntlet/KEY`; returns its name. Null when the run
 * has none (yet), or the folder is in no repository.
 */
export async function pullBranch(
  context: Context,
  session: Session,
  { run, folder }: { run: FoundRun; folder: string },
): Promise<string | null> {
  const left = run.isClosed ? await branchOf(session, run) : null
  if (left === null) return null
  const { fetchBranch } = await import('../tools/git/fetch-branch.js')
  const name = `gauntlet/${run.workflowId.replace(/^[^/]*\//, '')}`
  try {
    await fetchBranch({ git: await openCliGit(context), ...left, into: folder, name })
    return name
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Contract.Violated') throw error
    context.terminal.note(`the run's branch stays in its repository: ${error.message}`)
    return null
  }
}

async function branchOf(session: Session, run: FoundRun) {
  const from = await repositoryOfRun(session, run)
  if (from === null) return null
  const end = await endOfRun(session, run.handle, null)
  const result = end !== null && 'document' in end ? WithBranch.safeParse(end.document.result) : null
  return result?.success === true ? { from, branch: result.data.branch } : null
}
