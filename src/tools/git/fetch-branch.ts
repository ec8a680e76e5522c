import { Failure } from '../../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import type { Git } from './git.js'
import { locateRepository } from './locate-repository.js'
import { listRefs, otherEnd, repositoryWord } from './mirror.js'
import { FETCH, runGit } from './run-git.js'

export interface FetchBranchOrder {
  git: Git
  /** The run repository. */
  from: RepositoryRef
  /** There: 'refs/heads/…'. */
  branch: string
  /** A folder in the person's own repository. */
  into: string
  /** Of the new branch there, without 'refs/heads/'. */
  name: string
}

/**
 * Brings a run's branch into the person's repository, as a branch of its own: nothing that is checked out changes. Throws
 * `Failure('Contract.Violated')` when the folder is in no repository, `Failure('Git.Conflict')` when there is a branch of that
 * name which is another.
 */
export async function fetchBranch({ git, from, branch, into, name }: FetchBranchOrder): Promise<CommitId> {
  const { commonDir, readable } = locateRepository(into)
  const local = `refs/heads/${name}`
  const commit = await commitAt(git, from, branch)
  if (commit === null) throw new Failure('Contract.Violated', `run repository: expected a branch ${branch}, found none`)
  const there = await commitAt(git, { url: commonDir }, local)
  if (there === commit) return commit
  if (there !== null)
    throw new Failure(
      'Git.Conflict',
      `branch ${name}: expected none or ${commit.slice(0, 12)}, found ${there.slice(0, 12)}`,
    )
  const args = [...FETCH, '--no-recurse-submodules', '--end-of-options', repositoryWord(from), `${branch}:${local}`]
  const end = otherEnd(from, 'read')
  const reads = 'readable' in end ? [...readable, ...end.readable] : readable
  await runGit(git, { ...end, args, repository: commonDir, readable: reads, writable: [commonDir] })
  return commit
}

async function commitAt(git: Git, repository: RepositoryRef, ref: string): Promise<CommitId | null> {
  return (await listRefs(git, repository, [ref])).find((each) => each.ref === ref)?.commit ?? null
}
