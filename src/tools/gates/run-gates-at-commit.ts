import type { QualityReport } from '../../contracts/quality.js'
import { barOf, type CommitOrder, openCommitWorkspace } from './commit-workspace.js'
import { judgeIn, type JudgeOrder } from './run-gates.js'

/**
 * Runs the seven gates on a commit of a run, by the configuration and the scripts of its base. Throws as `setupWorktree` does when
 * the dependencies cannot be had, `Failure('Contract.Violated')` for a configuration that does not fit.
 */
export async function runGatesAtCommit(order: JudgeOrder & CommitOrder): Promise<QualityReport> {
  const bar = await barOf(order.mirror, order.base)
  return await judgeIn(order, bar.config, (scratch) => openCommitWorkspace(order, bar, scratch))
}
