import { GroundOrder, GroundReply, ReadOrder, ReadReply } from '../contracts/eval-orders.js'
import { ScoreOrder, ScoreReply } from '../contracts/eval-score.js'
import { withScratch } from '../tools/folder/scratch.js'
import { groundAnalyses } from '../tools/judges/ground-analyses.js'
import type { JudgeBox } from '../tools/judges/judge-box.js'
import { readCandidates } from '../tools/judges/read-candidates.js'
import { scoreCandidate } from '../tools/judges/score-candidate.js'
import { perform } from './perform.js'

/** What the worker knows and an attempt does not. */
export interface EvalSetup extends Omit<JudgeBox, 'scratch' | 'signal'> {
  scratchRoot: string
}

/** The activities of the eval pipeline, besides asking agents. */
export function createEvalActivities(setup: EvalSetup) {
  const { store, scratchRoot } = setup
  return {
    scoreCandidate: perform({
      name: 'scoreCandidate',
      store,
      input: ScoreOrder,
      output: ScoreReply,
      run: (order, { signal }) =>
        withScratch(scratchRoot, (scratch) => scoreCandidate(order, { ...setup, scratch, signal })),
    }),
    readCandidates: perform({
      name: 'readCandidates',
      store,
      input: ReadOrder,
      output: ReadReply,
      run: (order) => readCandidates(order, setup),
    }),
    groundAnalyses: perform({
      name: 'groundAnalyses',
      store,
      input: GroundOrder,
      output: GroundReply,
      run: (order) => groundAnalyses(order, setup),
    }),
  }
}
