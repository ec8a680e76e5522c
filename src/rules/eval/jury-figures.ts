import type { EvalResult, JudgeFigures } from '../../contracts/eval-result.js'
import type { EvalInput, Judge } from '../../contracts/eval.js'
import type { Conclusion } from './conclusion.js'
import { kappaOfWords } from './fleiss-kappa.js'
import { followers } from './hidden-instructions.js'
import { concordance, meanTau } from './kendall.js'
import { lengthBias } from './length-bias.js'
import { type EvalProgress, scoreRows } from './progress.js'
import type { ScoreRow } from './ranks.js'

/** Per seat: what its judge is, and how it leans. */
export function judgeFigures(input: EvalInput, progress: EvalProgress): JudgeFigures[] {
  const names = input.candidates.map(({ name }) => name)
  const rows = scoreRows(progress).map((row): ScoreRow => row ?? names.map(() => null))
  const lengths = lengthBias(
    rows,
    input.candidates.map(({ bytes }) => bytes),
  )
  const led = followers(
    rows,
    progress.hidden.map(({ candidate }) => candidate),
  )
  return progress.seats.map(({ name, holder }, seat) => ({
    judge: name,
    is: holder === null ? 'lost' : kindOf(holder),
    position_bias: positionOf(progress, seat),
    length_bias: { tau: lengths[seat]?.tau ?? null, prefers: lengths[seat]?.prefers ?? null },
    follows: led.filter(({ judge }) => judge === seat).map(({ candidate }) => names[candidate] ?? ''),
    invented: progress.invented[seat] ?? 0,
  }))
}

export function kindOf(judge: Judge): string {
  return judge.kind === 'agent' ? `agent ${judge.agent}` : judge.measure
}

function positionOf({ position }: EvalProgress, seat: number): JudgeFigures['position_bias'] {
  const bias = position[seat] ?? null
  if (bias === null) return null
  const { tau, consistency, isSameVote, prefers } = bias
  return { tau, consistency, is_same_vote: isSameVote, prefers }
}

export function juryStatistics(progress: EvalProgress, conclusion: Conclusion): EvalResult['statistics'] {
  const vote = progress.votes.at(-1)
  const { agreement, synthesis } = conclusion
  const rows = scoreRows(progress)
    .filter((row) => row !== null)
    .map((row) => synthesis.candidates.map((candidate) => row[candidate] ?? null))
  const first = vote === undefined ? [] : [{ round: 1, ratio: vote.agreement, level: vote.level }]
  const last = agreement === null ? [] : [{ round: 4, ratio: agreement.ratio, level: agreement.level }]
  return {
    agreement: [...first, ...last],
    fleiss_kappa: voteKappa(progress),
    kendall_w: concordance(rows),
    kendall_tau: meanTau(rows),
  }
}

/** Each judge puts each candidate into one of two: out or in. */
function voteKappa({ votes, measured }: EvalProgress): number | null {
  const ballots = (votes.at(-1)?.ballots ?? []).filter((ballot) => ballot !== null)
  const candidates = measured[0]?.length ?? 0
  const places = Array.from({ length: candidates }, (_, at) => at)
  return kappaOfWords(places.map((at) => ballots.map(({ eliminated }) => (eliminated === at ? 'out' : 'in'))))
}
