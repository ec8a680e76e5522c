import type { AcceptanceCriterion } from '../../contracts/phase.js'
import type { GatesConfig, QualityConfig, QualityReport } from '../../contracts/quality.js'
import { criteriaOf } from '../../rules/phase/criteria.js'
import { barOf, type CommitOrder, openCommitWorkspace } from './commit-workspace.js'
import { judgeIn, type JudgeOrder } from './run-gates.js'

export interface CommitGatesOrder extends Omit<JudgeOrder, 'level' | 'only'>, CommitOrder {
  /** What is asked for. */
  quality: QualityConfig
  /** Besides the project's own. */
  criteria: readonly AcceptanceCriterion[]
}

/**
 * Runs the seven gates on a commit of a run, by the configuration and the scripts of its base. Throws as `setupWorktree` does when
 * the dependencies cannot be had, `Failure('Contract.Violated')` for a configuration that does not fit.
 */
export async function runGatesAtCommit(order: CommitGatesOrder): Promise<QualityReport> {
  const bar = await barOf(order.mirror, order.base)
  const config = withTask(bar.config, order)
  return await judgeIn({ ...order, level: null, only: null }, config, (scratch) =>
    openCommitWorkspace(order, bar, scratch),
  )
}

function withTask(config: GatesConfig, { quality, criteria }: CommitGatesOrder): GatesConfig {
  const own = config.gates?.acceptance?.criteria ?? []
  const acceptance = { criteria: [...own, ...criteriaOf(criteria)] }
  return { ...config, quality, gates: { ...config.gates, acceptance } }
}
