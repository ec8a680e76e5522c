import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import { systemReason } from '../case-folder/system-reason.js'
import { baseOf, fetchBase } from './base-commit.js'
import type { Git } from './git.js'
import { ensureCommit, markWhole, openMirror, otherEnd, repositoryWord } from './mirror.js'
import { publishRef } from './publish-ref.js'
import { FETCH, type GitCall, gitFailure, runGit, tryGit } from './run-git.js'
import { uncommittedChanges } from './uncommitted-changes.js'

export interface WorktreeForPerson {
  git: Git
  /** The run repository. */
  from: RepositoryRef
  commit: CommitId
  /** Absolute; is made, or empty. */
  into: string
  /** Of the new branch, without 'refs/heads/'. */
  branch: string
}

/**
 * Gives a person a repository of their own with a commit of a run checked out on a branch: they work and commit there as they are
 * used to. Throws `Failure('Contract.Violated')` for a folder that holds something.
 */
export async function makePersonWorktree({ git, from, commit, into, branch }: WorktreeForPerson): Promise<void> {
  await makeEmptyFolder(into)
  const repository = join(into, '.git')
  const there = { repository, workTree: into, cwd: into }
  const format = commit.length === 64 ? 'sha256' : 'sha1'
  const init = ['init', '--quiet', '--initial-branch=none', '--template=', `--object-format=${format}`]
  await runGit(git, { ...there, args: init, writable: [into] })
  const writable = [into, repository]
  const fetch = [...FETCH, '--update-shallow', '--end-of-options', repositoryWord(from)]
  const args = [...fetch, `${commit}:refs/heads/${branch}`]
  await runGit(git, { ...there, ...otherEnd(from, 'read'), args, writable })
  await runGit(git, { ...there, args: ['checkout', '--quiet', branch, '--'], writable })
}

/** Throws `Failure('Contract.Violated')` unless the folder is there and empty afterwards. */
export async function makeEmptyFolder(folder: string): Promise<void> {
  const expected = 'expected a folder that is empty or not there yet'
  try {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length === 0) return
  } catch (error) {
    throw new Failure('Contract.Violated', `${expected}: ${systemReason(error).reason}`, { cause: error })
  }
  throw new Failure('Contract.Violated', `${expected}, got one that holds something`)
}

export interface PersonWork {
  git: Git
  /** The person's folder, absolute. */
  from: string
  /** The run repository. */
  into: RepositoryRef
  /** Create-only. */
  ref: (commit: CommitId) => string
  /** What the work was begun with. */
  start: CommitId
}

/**
 * Brings what is committed in a person's folder into the run repository; returns the commit. Only reads there. Throws
 * `Failure('Contract.Violated')` when it is no repository, holds changes that are not committed, or has nothing in common with
 * what the work was begun with.
 */
export async function publishPersonWork({ git, from, into, ref, start }: PersonWork): Promise<CommitId> {
  const base = await baseOf(git, { url: from }, 'HEAD')
  const { commit } = base
  const left = await uncommittedChanges(git, { url: from })
  if (left !== null && left.count > 0)
    throw new Failure('Contract.Violated', `expected everything committed, found changes: ${left.paths.join(', ')}`)
  const mirror = await openMirror(git, into)
  await fetchBase(git, base, { into: mirror.folder, ref: ref(commit) })
  await ensureCommit(mirror, start)
  const call: GitCall = { args: ['merge-base', '--end-of-options', start, commit], repository: mirror.folder }
  const outcome = await tryGit(git, call)
  if (outcome.exitCode === 1)
    throw new Failure('Contract.Violated', `expected work that began with ${start.slice(0, 12)}, got another history`)
  if (outcome.exitCode !== 0) throw gitFailure(call, outcome)
  await markWhole(mirror, commit)
  await publishRef({ mirror, ref: ref(commit), commit })
  return commit
}
