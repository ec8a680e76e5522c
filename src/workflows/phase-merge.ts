import { condition } from '@temporalio/workflow'
import type { CommitId } from '../contracts/git.js'
import type { MergedTask, MergeTaskOrder } from '../contracts/phase-run.js'
import { decideRetry } from '../rules/retry.js'
import { tryOnce } from './attempt.js'
import type { PhaseRun, RunTask } from './phase-run.js'
import { now } from './run.js'

export type Merged =
  | { status: 'merged'; commit: CommitId }
  | { status: 'conflict'; problem: string; files: string[] }
  | { status: 'failed'; problem: string }

/** Merges two commits; what comes out is published under the task's name, so that every worker can reach it. */
export async function mergeInto(
  phase: PhaseRun,
  task: RunTask,
  { ours, theirs }: { ours: CommitId; theirs: CommitId },
): Promise<Merged> {
  if (ours === theirs) return { status: 'merged', commit: ours }
  task.counts.merges += 1
  const { id, title } = task.outline
  const input: MergeTaskOrder = {
    run_id: phase.run.state.run_id,
    repository: phase.input.repository,
    step: `${id}-merge`,
    round: task.counts.merges,
    ours,
    theirs,
    message: `Merge ${id}: ${title}`,
    stamp: { name: 'Gauntlet', email: 'gauntlet@localhost', at: now() },
  }
  return await mergeNow(id, input)
}

async function mergeNow(id: string, input: MergeTaskOrder): Promise<Merged> {
  for (let failures = 1; ; failures += 1) {
    const merged = await tryOnce<MergeTaskOrder, MergedTask>({
      step: id,
      activity: 'mergeTask',
      input,
      summary: `merge: ${id}`,
    })
    if (merged.status === 'canceled') return { status: 'failed', problem: 'stopped' }
    if (merged.status === 'passed') return namedConflict(merged.value)
    const { type, message } = merged.failure
    if (decideRetry({ type, failures }) === null) return { status: 'failed', problem: `${type}: ${message}` }
  }
}

function namedConflict(merged: MergedTask): Merged {
  if (merged.status === 'merged') return merged
  return { ...merged, problem: merged.files.slice(0, 10).join(', ') }
}

/** One at a time: what moves the run's branch starts from where it is. */
export async function whileMerging<T>(phase: PhaseRun, work: () => Promise<T>): Promise<T> {
  // Everybody who waits is woken at once: the first one takes it, the others wait again.
  while (phase.isMerging) await condition(() => !phase.isMerging)
  phase.isMerging = true
  try {
    return await work()
  } finally {
    phase.isMerging = false
  }
}
