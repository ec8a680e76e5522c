import { attackVerdict } from './attack-verdict.js'
import {
  confidenceOf,
  type ConfidenceScore,
  CONSENSUS_FACTOR,
  type DecisionPath,
  marginFactor,
  robustnessFactor,
  stabilityFactor,
} from './confidence.js'
import { choiceAgreement, type ChoiceAgreement, decisionPath, isConsensus, type PathFacts } from './consensus.js'
import { type EvalProgress, fallenWhy, scoreRows, standing } from './progress.js'
import { meanOf, type ScoreRow } from './ranks.js'
import { synthesize, type Synthesis } from './synthesis.js'

/** What all rounds together come to. */
export interface Conclusion {
  end: 'reached' | 'tied' | 'weak'
  synthesis: Synthesis
  /** More than one: a tie. */
  leaders: number[]
  winner: number | null
  runnerUp: number | null
  agreement: ChoiceAgreement | null
  confidence: ConfidenceScore | null
  path: DecisionPath
}

/** Who leads just now, best first: a fraction of the work of `conclude`, for the moves on the way. */
export function rankNow(progress: EvalProgress): Synthesis {
  return synthesize(withoutNulls(scoreRows(progress)), standing(progress))
}

/** Round 4, the consensus: who leads among those who stand, how far the jury agrees, how sure that is. Gate 4 decides `end`. */
export function conclude(progress: EvalProgress): Conclusion {
  const rows = scoreRows(progress)
  const candidates = standing(progress)
  const synthesis = synthesize(withoutNulls(rows), candidates)
  const leaders = leadersOf(progress, synthesis)
  const [winner = null] = leaders.length === 1 ? leaders : []
  const path = decisionPath(pathFacts(progress, synthesis, winner))
  if (winner === null)
    return { end: 'tied', synthesis, leaders, winner, runnerUp: null, agreement: null, confidence: null, path }
  const agreement = choiceAgreement(rows, { candidates, winner })
  const runnerUp = synthesis.ranking.find(({ candidate }) => candidate !== winner)?.candidate ?? null
  const factors = {
    consensus: CONSENSUS_FACTOR[agreement.level],
    stability: stabilityFactor(withoutNulls(rows), candidates, winner),
    robustness: robustnessOf(progress, winner),
    margin: marginFactor(leadOf(synthesis, winner, runnerUp)),
  }
  const confidence = confidenceOf(factors, path)
  const end = isConsensus(agreement.level, confidence.level) ? 'reached' : 'weak'
  return { end, synthesis, leaders, winner, runnerUp, agreement, confidence, path }
}

/** A person's word stands; a vote among those who were tied may leave one of them. */
function leadersOf({ chosen, runoff }: EvalProgress, { leaders }: Synthesis): number[] {
  if (chosen !== null) return [chosen]
  if (runoff === null || leaders.length < 2) return leaders
  return synthesize(withoutNulls(runoff), leaders).leaders
}

function withoutNulls(rows: readonly (ScoreRow | null)[]): ScoreRow[] {
  return rows.filter((row) => row !== null)
}

function pathFacts(progress: EvalProgress, synthesis: Synthesis, winner: number | null): PathFacts {
  const { facts, out } = progress
  const isClearVote =
    (facts.revote ?? facts.screening) === 'decided' || out.some(({ round, isMeasured }) => round === 1 && !isMeasured)
  return {
    leadsThroughout: winner !== null && leadsAll(progress, synthesis, winner),
    allGatesPassed: isClearVote,
    isContested: winner === null || synthesis.leadsBy !== 'schulze' || cameInLate(progress, winner),
  }
}

/** By a person's word or a second vote, from among the eliminated, after somebody better fell, or past a gate that was not reached. */
function cameInLate(progress: EvalProgress, winner: number): boolean {
  const { facts, chosen, runoff, resurrections, survivors } = progress
  const isBack = resurrections.some(({ candidate, decision }) => candidate === winner && decision === 'resurrect')
  const hasFallen = survivors.some((candidate) => fallenWhy(progress, candidate) !== null)
  const isWaived = [facts.analysis, facts.attack].some((end) => end === 'thin' || end === 'no_quorum')
  return chosen !== null || runoff !== null || isBack || hasFallen || isWaived
}

/** First by round 1's mean scores, by the Schulze method and by Borda points. */
function leadsAll({ votes }: EvalProgress, { ranking }: Synthesis, winner: number): boolean {
  const ballots = withoutNulls((votes.at(-1)?.ballots ?? []).map((ballot) => ballot?.scores ?? null))
  const mean = (candidate: number) =>
    meanOf(ballots.map((scores) => scores[candidate] ?? null).filter((score) => score !== null)) ?? -Infinity
  const own = ranking.find(({ candidate }) => candidate === winner)
  return ranking.every(({ candidate, borda }) => mean(candidate) <= mean(winner) && borda <= (own?.borda ?? 0))
}

function robustnessOf({ attacks, cells, measured }: EvalProgress, winner: number): number {
  const { robustness } = attackVerdict(attacks.filter(({ candidate }) => candidate === winner))
  const found = [...cells, ...measured].some((row) => (row[winner]?.severities.Critical ?? 0) > 0)
  return robustnessFactor(robustness, found)
}

/** Between the mean scores of the two, by the judges that know both. */
function leadOf({ ranking }: Synthesis, winner: number, runnerUp: number | null): number | null {
  const mean = (wanted: number | null) => ranking.find(({ candidate }) => candidate === wanted)?.mean ?? null
  const [one, other] = [mean(winner), mean(runnerUp)]
  return one === null || other === null ? null : one - other
}
