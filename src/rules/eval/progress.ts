import type { FinalReview, Resurrection } from '../../contracts/eval-answers.js'
import type { ScoreReply } from '../../contracts/eval-score.js'
import type { EvalInput, EvalMode, Judge } from '../../contracts/eval.js'
import type { ConsensusLevel, VoteConflict } from '../../contracts/votes.js'
import { attackVerdict, type AttackSummary, reviewVerdict } from './attack-verdict.js'
import type { Conclusion } from './conclusion.js'
import { scoresOfMeasure } from './measures.js'
import { MODES, type Upgrade } from './modes.js'
import type { PositionBias } from './position-bias.js'
import type { ScoreRow } from './ranks.js'
import type { Cell } from './resurrection.js'
import type { EvalFacts } from './schedule.js'
import type { Ballot, ScreeningEnd } from './screening.js'
import type { Loss } from './seats.js'

/** One vote of round 1: a ballot per seat. */
export interface VoteRecord {
  purpose: 'screening' | 'revote'
  end: ScreeningEnd
  ballots: (Ballot | null)[]
  /** Who reached the threshold, whatever the gate says. */
  eliminated: number[]
  agreement: number
  level: ConsensusLevel
  /** Votes and weight of each candidate. */
  counts: { votes: number; weight: number }[]
  conflicts: VoteConflict[]
}

export type MeasuredCell = Pick<ScoreReply, 'score' | 'measured' | 'severities' | 'angle' | 'reasons'>

/** Everything an evaluation knows: plain JSON, so that it can be carried from one history to the next. Candidates and seats by place. */
export interface EvalProgress {
  mode: EvalMode
  rounds: 1 | 2 | 3 | 4
  upgrades: Upgrade[]
  /** Who sits where: null once a judge is lost and no spare was left. */
  seats: { name: string; holder: Judge | null }[]
  spares: Judge[]
  losses: Loss[]
  facts: Omit<EvalFacts, 'rounds'>
  votes: VoteRecord[]
  position: (PositionBias | null)[]
  /** What programs measured: [seat][candidate]. */
  measured: (MeasuredCell | null)[][]
  /** Candidates that programs have been to before the first vote, in the order of the input: only where they are many. */
  measuredUpTo: number
  /** Round 2: [seat][candidate]. */
  cells: (Cell | null)[][]
  analysed: number[]
  /** Round 2: quotations that are not in the candidate, by seat. */
  invented: number[]
  /** Lines of candidates that speak to their judges. */
  hidden: { candidate: number; lines: string[] }[]
  /** What is held against each candidate, the worst first; a few lines. */
  defects: string[][]
  survivors: number[]
  /** In the order they went. */
  out: { candidate: number; round: number; why: string; isMeasured: boolean }[]
  attacks: ({ candidate: number; judge: string } & AttackSummary)[]
  resurrections: {
    candidate: number
    isMilder: boolean | null
    answers: ({ judge: string } & Pick<Resurrection, 'decision' | 'confidence' | 'reason'>)[]
    decision: Resurrection['decision']
  }[]
  reviews: { candidate: number; judge: string; verdict: FinalReview['verdict']; reason: string }[]
  /** Scores of a vote among those who were tied, by seat. */
  runoff: (ScoreRow | null)[] | null
  /** By a person. */
  chosen: number | null
  conclusion: Conclusion | null
  /** One line per move. */
  log: string[]
}

const NO_FACTS: EvalProgress['facts'] = {
  screening: null,
  revote: null,
  screeningWord: null,
  analysis: null,
  analysisWord: null,
  attack: null,
  attackWord: null,
  resurrection: null,
  resurrectionWord: null,
  review: null,
  consensus: null,
  runoff: null,
  consensusWord: null,
}

export function openProgress(
  input: Pick<EvalInput, 'mode' | 'rounds' | 'judges' | 'spares' | 'candidates'>,
): EvalProgress {
  const { mode, rounds, judges, spares, candidates } = input
  const blank = () => judges.map(() => candidates.map(() => null))
  return {
    mode,
    rounds: (rounds ?? MODES[mode].rounds) as EvalProgress['rounds'],
    upgrades: [],
    seats: judges.map((judge) => ({ name: judge.name, holder: judge })),
    spares: [...spares],
    losses: [],
    facts: { ...NO_FACTS },
    votes: [],
    position: judges.map(() => null),
    measured: blank(),
    measuredUpTo: 0,
    cells: blank(),
    analysed: [],
    invented: judges.map(() => 0),
    hidden: [],
    defects: candidates.map(() => []),
    survivors: candidates.map((_, at) => at),
    out: [],
    attacks: [],
    resurrections: [],
    reviews: [],
    runoff: null,
    chosen: null,
    conclusion: null,
    log: [],
  }
}

/** Seats of judges that can be asked a question, by place. */
export function agentSeats({ seats }: EvalProgress): number[] {
  return seats.flatMap(({ holder }, at) => (holder?.kind === 'agent' ? [at] : []))
}

/**
 * A row of scores per seat: of programs what they measured, of the others round 2's, or round 1's where there is no round 2. Null for a
 * seat that has said nothing: it counts among the judges all the same.
 */
export function scoreRows(progress: EvalProgress): (ScoreRow | null)[] {
  const ballots = progress.votes.at(-1)?.ballots ?? []
  return progress.seats.map(({ holder }, seat) => {
    const row =
      holder?.kind === 'measure'
        ? scoresOfMeasure(progress.measured[seat] ?? [])
        : progress.analysed.length > 0
          ? (progress.cells[seat] ?? []).map((cell) => cell?.score ?? null)
          : (ballots[seat]?.scores ?? [])
    return row.some((score) => score !== null) ? row : null
  })
}

/** Those who are still in, when attacks and the final review are counted. Never nobody: then nobody was thrown out by them. */
export function standing(progress: EvalProgress): number[] {
  const back = progress.resurrections
    .filter(({ decision }) => decision === 'resurrect')
    .map(({ candidate }) => candidate)
  const all = [...progress.survivors, ...back]
  const left = all.filter((candidate) => fallenWhy(progress, candidate) === null)
  return left.length === 0 ? all : left
}

/** Why round 3 or 4 throws a survivor out, or null. */
export function fallenWhy({ attacks, reviews }: EvalProgress, candidate: number): string | null {
  const own = attacks.filter((attack) => attack.candidate === candidate)
  if (attackVerdict(own).isOut) return `attacked: ${own.find(({ criticals }) => criticals > 0)?.reason ?? ''}`
  const verdicts = reviews.filter((review) => review.candidate === candidate)
  if (reviewVerdict(verdicts.map(({ verdict }) => verdict)) !== 'disqualified') return null
  return `disqualified: ${verdicts.find(({ verdict }) => verdict === 'disqualified')?.reason ?? ''}`
}
