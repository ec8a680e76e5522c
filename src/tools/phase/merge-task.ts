import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import type { MergedTask, MergeTaskOrder, PublishBranchOrder, PublishedBranch } from '../../contracts/phase-run.js'
import { attemptRef, branchRef } from '../../rules/git/ref-names.js'
import { mergeCommits } from '../git/merge-commits.js'
import { openMirror } from '../git/mirror.js'
import { lookupRef, moveBranch, publishRef } from '../git/publish-ref.js'
import type { PhaseBox } from './phase-box.js'

/** Merges a task's accepted work into the run's, and publishes what came out, once. A conflict is an outcome. */
export async function mergeTask(order: MergeTaskOrder, { git }: PhaseBox): Promise<MergedTask> {
  const { repository, ours, theirs, message, stamp, run_id: run, step, round } = order
  const mirror = await openMirror(git, repository)
  const merged = await mergeCommits({ mirror, ours, theirs, message, stamp })
  if (merged.status === 'conflict') return { status: 'conflict', files: pathsOf(merged.files) }
  const { commit } = await publishRef({ mirror, ref: attemptRef({ run, step, round }), commit: merged.commit })
  return { status: 'merged', commit }
}

/** A name that cannot travel is left out: what is left says enough to look for it. */
function pathsOf(files: readonly string[]): string[] {
  return files.filter((path) => RelativePath.safeParse(path).success).slice(0, 100)
}

/** Gives the result a branch that people can fetch. Doing it again changes nothing. */
export async function publishBranch(order: PublishBranchOrder, { git }: PhaseBox): Promise<PublishedBranch> {
  const { repository, run_id: run, name, commit } = order
  const branch = branchRef({ run, name })
  const there = await lookupRef(git, repository, branch)
  if (there === commit) return { branch }
  if (there !== null)
    throw new Failure('Git.Conflict', `${branch}: expected no such branch, found one at ${there.slice(0, 12)}`)
  await moveBranch({ mirror: await openMirror(git, repository), ref: branch, expect: null, to: commit })
  return { branch }
}
