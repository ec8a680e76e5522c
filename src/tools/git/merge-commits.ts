import type { CommitId, CommitStamp } from '../../contracts/git.js'
import { readMergeOutput } from '../../rules/git/merge-output.js'
import { ensureCommit, type Mirror } from './mirror.js'
import { type GitCall, gitFailure, tryGit } from './run-git.js'
import { writeCommit } from './write-commit.js'

export interface MergeOrder {
  mirror: Mirror
  /** The first parent: what is merged into. */
  ours: CommitId
  theirs: CommitId
  message: string
  stamp: CommitStamp
}

/** `files`: those in conflict, at most 200; JSON strings where a name cannot travel. */
export type MergeResult = { status: 'merged'; commit: CommitId } | { status: 'conflict'; files: readonly string[] }

/**
 * Merges two commits without a worktree. The same order is the same commit; what is contained in the other side already makes no
 * new one. Throws `Failure('Tool.Failed')` for histories that have nothing in common.
 */
export async function mergeCommits(order: MergeOrder): Promise<MergeResult> {
  const { mirror, ours, theirs, message, stamp } = order
  await ensureCommit(mirror, ours)
  await ensureCommit(mirror, theirs)
  if (await isAncestor(mirror, theirs, ours)) return { status: 'merged', commit: ours }
  if (await isAncestor(mirror, ours, theirs)) return { status: 'merged', commit: theirs }
  const args = ['merge-tree', '--write-tree', '--name-only', '-z', '--no-messages', '--end-of-options', ours, theirs]
  const call: GitCall = { args, repository: mirror.folder, writable: [mirror.folder] }
  const outcome = await tryGit(mirror.git, call)
  // 1 says that there are conflicts.
  if (outcome.exitCode !== 0 && outcome.exitCode !== 1) throw gitFailure(call, outcome)
  const { tree, conflicts } = readMergeOutput(outcome.stdout)
  if (outcome.exitCode === 1) return { status: 'conflict', files: conflicts.slice(0, 200) }
  return { status: 'merged', commit: await writeCommit(mirror, { tree, parents: [ours, theirs], message, stamp }) }
}

async function isAncestor({ git, folder }: Mirror, ancestor: CommitId, of: CommitId): Promise<boolean> {
  const call: GitCall = { args: ['merge-base', '--is-ancestor', ancestor, of], repository: folder }
  const outcome = await tryGit(git, call)
  if (outcome.exitCode === 0 || outcome.exitCode === 1) return outcome.exitCode === 0
  throw gitFailure(call, outcome)
}
