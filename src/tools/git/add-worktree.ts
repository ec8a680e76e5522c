import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId } from '../../contracts/git.js'
import { makeGitView } from './git-view.js'
import { ensureCommit, type Mirror } from './mirror.js'
import { runGit } from './run-git.js'

export interface WorktreeOrder {
  mirror: Mirror
  commit: CommitId
  /** A folder of ours that is there and empty (`withScratch`). */
  into: string
}

/** The files of one attempt, and what git knows of them, kept apart. */
export interface Worktree {
  mirror: Mirror
  /** What an agent may change, absolute. */
  folder: string
  /** The commit it was made from. */
  commit: CommitId
  /** Git's record of what was checked out. Nobody but the engine may see it, or it would not see what they changed. */
  index: string
  /** Scratch for what git writes besides, absolute. */
  privateFolder: string
  /** What the agent's own git must be shown to read history. Never to be writable. */
  readable: readonly string[]
}

/**
 * Checks a commit out for one attempt, fresh. The `.git` in it is a throw-away that only borrows the mirror's objects: whoever
 * works there can look at history and commit to it, and nothing of that reaches a repository of ours, which never reads it.
 * Submodules stay empty folders, files of LFS stay the pointers they are in git, links are links wherever they lead.
 * Throws `Failure('Tool.Failed')` when the commit cannot be had or checked out.
 */
export async function addWorktree({ mirror, commit, into }: WorktreeOrder): Promise<Worktree> {
  const [folder, privateFolder] = [join(into, 'tree'), join(into, 'private')]
  await mkdir(folder)
  await mkdir(privateFolder, { mode: 0o700 })
  const index = join(privateFolder, 'index')
  await checkOut(mirror, commit, { folder, index })
  const objects = join(mirror.folder, 'objects')
  const gitDir = join(folder, '.git')
  await makeGitView({ gitDir, commit, objects, shallow: join(mirror.folder, 'shallow') })
  await cp(index, join(gitDir, 'index'), { preserveTimestamps: true })
  return { mirror, folder, commit, index, privateFolder, readable: [objects] }
}

/** Writes the files of a commit into an empty folder. What git knows of them goes to `index`, in a folder of ours. */
export async function checkOut(
  mirror: Mirror,
  commit: CommitId,
  { folder, index }: Pick<Worktree, 'folder' | 'index'>,
): Promise<void> {
  await ensureCommit(mirror, commit)
  await runGit(mirror.git, {
    args: ['read-tree', '-m', '-u', '--end-of-options', commit],
    repository: mirror.folder,
    workTree: folder,
    index,
    cwd: folder,
    writable: [dirname(index)],
  })
}
