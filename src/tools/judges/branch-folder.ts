import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryRef } from '../../contracts/git.js'
import { baseOf, fetchBase } from '../git/base-commit.js'
import type { Git } from '../git/git.js'
import { makeRepository } from '../git/make-repository.js'
import { runGit } from '../git/run-git.js'

export interface BranchOrder {
  source: RepositoryRef
  /** Branch, tag or commit. */
  branch: string
  /** A folder of ours that is there and empty. */
  into: string
}

/**
 * Writes the files of a branch into a folder and returns it. The repository is only read, and its configuration is not. Throws
 * `Failure('Contract.Violated')` when there is no such branch.
 */
export async function branchFolder(git: Git, { source, branch, into }: BranchOrder): Promise<string> {
  const base = await baseOf(git, source, branch)
  const repository = join(into, 'repository')
  const folder = join(into, 'tree')
  const ref = 'refs/heads/candidate'
  const { objectFormat } = base
  const fill = (draft: string) => fetchBase(git, base, { into: draft, ref })
  await makeRepository(git, repository, { objectFormat, isDurable: false, fill })
  await mkdir(folder)
  await runGit(git, {
    args: ['read-tree', '-m', '-u', '--end-of-options', base.commit],
    repository,
    workTree: folder,
    index: join(into, 'index'),
    cwd: folder,
    writable: [into],
  })
  return folder
}
