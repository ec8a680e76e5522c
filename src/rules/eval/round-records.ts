import type { EvalRounds } from '../../contracts/eval-result.js'
import type { Conclusion } from './conclusion.js'
import { columnOf } from './gates.js'
import { type EvalProgress, fallenWhy, scoreRows } from './progress.js'
import { anglesOf } from './resurrection.js'
import { conflictsOf } from './synthesis.js'

/** What each round came to, by name; null for a round that was not held. */
export function roundsOf(progress: EvalProgress, names: readonly string[], conclusion: Conclusion): EvalRounds {
  const { facts } = progress
  return {
    round1: roundOne(progress, names),
    round2: facts.analysis === null ? null : roundTwo(progress, names, conclusion),
    round3: facts.attack === null ? null : roundThree(progress, names),
    round4: facts.resurrection === null ? null : roundFour(progress, names),
  }
}

/** Everybody who is out in the end, with the round and the reason. */
export function outOf(progress: EvalProgress): EvalProgress['out'] {
  const back = new Set(
    progress.resurrections.filter(({ decision }) => decision === 'resurrect').map(({ candidate }) => candidate),
  )
  const fallen = progress.survivors.flatMap((candidate) => {
    const why = fallenWhy(progress, candidate)
    return why === null ? [] : [{ candidate, round: why.startsWith('attacked') ? 3 : 4, why, isMeasured: false }]
  })
  return [...progress.out.filter(({ candidate }) => !back.has(candidate)), ...fallen]
}

function roundOne({ votes, seats, survivors, out }: EvalProgress, names: readonly string[]): EvalRounds['round1'] {
  const vote = votes.at(-1)
  return {
    eliminated: out.filter(({ round }) => round === 1).map(({ candidate }) => names[candidate] ?? ''),
    survivors: survivors.map((candidate) => names[candidate] ?? ''),
    consensus_level: vote?.level ?? 'split',
    agreement_ratio: vote?.agreement ?? 0,
    is_revote: votes.length > 1,
    votes: names.map((candidate, at) => ({
      candidate,
      raw_votes: vote?.counts[at]?.votes ?? 0,
      weighted_votes: vote?.counts[at]?.weight ?? 0,
      voters: seats.filter((_, seat) => vote?.ballots[seat]?.eliminated === at).map(({ name }) => name),
    })),
    conflicts: vote?.conflicts ?? [],
  }
}

function roundTwo(progress: EvalProgress, names: readonly string[], { synthesis }: Conclusion): EvalRounds['round2'] {
  // A seat that said nothing is at odds with nobody.
  const rows = scoreRows(progress).map((row) => row ?? names.map(() => null))
  const conflicts = conflictsOf(rows, synthesis)
  const judgeOf = (seat: number) => progress.seats[seat]?.name ?? ''
  const sum = (candidate: number, severity: 'Critical' | 'Major' | 'Minor') =>
    columnOf(progress, candidate).reduce((total, cell) => total + (cell?.severities[severity] ?? 0), 0)
  return {
    defects: progress.analysed.map((candidate) => ({
      candidate: names[candidate] ?? '',
      critical: sum(candidate, 'Critical'),
      major: sum(candidate, 'Major'),
      minor: sum(candidate, 'Minor'),
      angles: anglesOf(columnOf(progress, candidate)).length,
    })),
    conflict_pairs: conflicts.pairs.map(({ judges: [one, other], tau }) => ({
      judges: [judgeOf(one), judgeOf(other)],
      tau,
    })),
    disputed: conflicts.disputed.map((candidate) => names[candidate] ?? ''),
  }
}

function roundThree({ attacks }: EvalProgress, names: readonly string[]): EvalRounds['round3'] {
  return {
    attacked: [...new Set(attacks.map(({ candidate }) => names[candidate] ?? ''))],
    critical_found: attacks.reduce((sum, { criticals }) => sum + criticals, 0),
    attack_results: attacks.map(({ candidate, judge, recommendation, reason }) => ({
      candidate: names[candidate] ?? '',
      judge,
      recommendation,
      reason,
    })),
  }
}

function roundFour(progress: EvalProgress, names: readonly string[]): EvalRounds['round4'] {
  const back = progress.resurrections.filter(({ decision }) => decision === 'resurrect')
  return {
    resurrected: back.map(({ candidate }) => names[candidate] ?? ''),
    final_eliminated: outOf(progress).map(({ candidate, why }) => ({ candidate: names[candidate] ?? '', why })),
    reviews: progress.reviews.map(({ candidate, ...rest }) => ({ candidate: names[candidate] ?? '', ...rest })),
  }
}
