import type { EvalResult } from '../../contracts/eval-result.js'
import type { EvalInput } from '../../contracts/eval.js'
import { conclude, type Conclusion } from './conclusion.js'
import { gatesOf } from './gates.js'
import { judgeFigures, juryStatistics } from './jury-figures.js'
import type { EvalProgress } from './progress.js'
import { recommendationsOf, summaryOf } from './recommendations.js'
import { outOf, roundsOf } from './round-records.js'
import { dissentOf, wordsOf } from './words-of-judges.js'
import type { EVAL_VERDICTS } from './words.js'

type Verdict = (typeof EVAL_VERDICTS)[number]

/** The output contract of an evaluation, from all that is known. */
export function evalResult(input: EvalInput, progress: EvalProgress, verdict: Verdict): EvalResult {
  const names = input.candidates.map(({ name }) => name)
  const nameOf = (candidate: number) => names[candidate] ?? ''
  const conclusion = progress.conclusion ?? conclude(progress)
  const told = { names, verdict, conclusion }
  const words = wordsOf(progress, names)
  return {
    mode: progress.mode,
    rounds_held: roundsHeld(progress),
    upgrades: progress.upgrades,
    seed: input.seed,
    verdict,
    final_recommendation: {
      ...recommended(conclusion, { names, isRecommended: verdict === 'recommended' }),
      summary: summaryOf(progress, told),
      recommendations: recommendationsOf(progress, told),
    },
    ranking: rankingOf(conclusion, names),
    out: outOf(progress).map(({ candidate, round, why }) => ({ candidate: nameOf(candidate), round, why })),
    rounds: roundsOf(progress, names, conclusion),
    gates: gatesOf(progress, conclusion),
    words,
    dissent: dissentOf(progress, { names, words, conclusion }),
    losses: progress.losses.map(({ replacedBy, ...loss }) => ({ ...loss, replaced_by: replacedBy })),
    judges: judgeFigures(input, progress),
    hidden_instructions: progress.hidden.map(({ candidate, lines }) => ({ candidate: nameOf(candidate), lines })),
    statistics: juryStatistics(progress, conclusion),
    pairwise: pairwiseOf(conclusion, names),
    execution_log: progress.log,
    records: [],
  }
}

function roundsHeld({ facts, rounds }: EvalProgress): number {
  if (facts.consensus !== null) return rounds
  if (facts.attack !== null) return 3
  return facts.analysis === null ? 1 : 2
}

function recommended(
  { winner, runnerUp, leaders, confidence, path }: Conclusion,
  { names, isRecommended }: { names: readonly string[]; isRecommended: boolean },
) {
  const nameOf = (candidate: number | null) => (isRecommended && candidate !== null ? (names[candidate] ?? '') : null)
  return {
    winner: nameOf(winner),
    runner_up: nameOf(runnerUp),
    leaders: leaders.map((candidate) => names[candidate] ?? ''),
    confidence: isRecommended ? confidence : null,
    decision_path: isRecommended ? path : null,
  }
}

function rankingOf({ synthesis }: Conclusion, names: readonly string[]): EvalResult['ranking'] {
  return synthesis.ranking.map(({ candidate, rank, mean, schulze, borda, variance }) => ({
    rank,
    candidate: names[candidate] ?? '',
    composite_score: mean,
    schulze_rank: schulze,
    borda,
    rank_variance: variance,
  }))
}

/** More candidates make a result larger than a history should carry. */
const SHOWN_PAIRWISE = 12

function pairwiseOf({ synthesis }: Conclusion, names: readonly string[]): EvalResult['pairwise'] {
  const { candidates, matrix, strengths } = synthesis
  if (candidates.length > SHOWN_PAIRWISE) return null
  return {
    candidates: candidates.map((candidate) => names[candidate] ?? ''),
    matrix: matrix.map((row) => [...row]),
    strengths: strengths.map((row) => [...row]),
  }
}
