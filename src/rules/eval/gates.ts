import type { Gate } from '../../contracts/eval-result.js'
import type { Conclusion } from './conclusion.js'
import type { EvalProgress } from './progress.js'
import { anglesOf, LEAST_ANGLES } from './resurrection.js'
import type { RoundEnd } from './schedule.js'
import { LEAST_AGREEMENT } from './screening.js'
import { hasQuorum } from './seats.js'

/** What each gate asked for and found, for the rounds that were held. */
export function gatesOf(progress: EvalProgress, { agreement, confidence }: Conclusion): Gate[] {
  const { votes, facts, attacks } = progress
  const vote = votes.at(-1)
  const gates: Gate[] = []
  if (vote !== undefined) {
    const asks = `somebody is voted out, by at least ${percent(LEAST_AGREEMENT)} of the seats`
    gates.push({ round: 1, asks, found: `${vote.end}, ${percent(vote.agreement)}`, is_passed: vote.end === 'decided' })
  }
  if (facts.analysis !== null) {
    const least = Math.min(...progress.survivors.map((candidate) => anglesOf(columnOf(progress, candidate)).length))
    const asks = `each survivor is analysed from ${LEAST_ANGLES} angles, with evidence`
    const found = `${facts.analysis}; at least ${least} angles`
    gates.push({ round: 2, asks, found, is_passed: facts.analysis === 'complete' })
  }
  if (facts.attack !== null) {
    const found = facts.attack === 'skipped' ? 'nobody who can be asked' : `${facts.attack}; ${attacks.length} answered`
    gates.push({ round: 3, asks: 'all seven questions are answered', found, is_passed: facts.attack === 'complete' })
  }
  if (facts.consensus !== null) {
    const asks = 'the consensus is at least moderate, the confidence at least Medium'
    const found = agreement === null ? 'a tie' : `${agreement.level}, ${confidence?.level ?? 'none'}`
    gates.push({ round: 4, asks, found, is_passed: facts.consensus === 'reached' || facts.runoff === 'reached' })
  }
  return gates
}

/** Gate 2, once all answers are in. */
export function analysisEnd(progress: EvalProgress): RoundEnd {
  const { seats, survivors } = progress
  const counts = survivors.map((candidate) => columnOf(progress, candidate).filter((cell) => cell !== null).length)
  if (counts.some((count) => !hasQuorum(count, seats.length))) return 'no_quorum'
  const isWhole = survivors.every((candidate) => anglesOf(columnOf(progress, candidate)).length >= LEAST_ANGLES)
  return isWhole ? 'complete' : 'thin'
}

export function columnOf({ cells }: EvalProgress, candidate: number) {
  return cells.map((row) => row[candidate] ?? null)
}

/** A round in which `answered` of `asked` answered. */
export function roundEnd(answered: number, asked: number): RoundEnd {
  if (asked === 0) return 'skipped'
  return answered === asked ? 'complete' : answered === 0 ? 'no_quorum' : 'thin'
}

function percent(ratio: number): string {
  // Never rounded up to a bound it does not meet.
  return `${Math.floor(ratio * 100 + 1e-6)} %`
}
