import { type View, viewFor } from '../rules/eval/blinding.js'
import { scoresOfMeasure, voteByScores } from '../rules/eval/measures.js'
import { MODES, thresholdOf } from '../rules/eval/modes.js'
import { positionBias } from '../rules/eval/position-bias.js'
import type { EvalProgress, VoteRecord } from '../rules/eval/progress.js'
import {
  type Ballot,
  ballotOf,
  concludeScreening,
  reconcile,
  type ScreeningExtract,
  type ScreeningResult,
} from '../rules/eval/screening.js'
import {
  type AgentJudge,
  askJudge,
  commonInput,
  fromSeat,
  type Jury,
  nextPart,
  type ProgramJudge,
  type Said,
  shownAs,
} from './eval-jury.js'
import { measure } from './eval-measure.js'

export type Purpose = 'screening' | 'revote' | 'runoff'

const ROWS = { screening: 'round 1', revote: 'round 1 again', runoff: 'run-off' } as const satisfies Record<
  Purpose,
  string
>

/** One vote of the whole jury on `shown`: all seats at once, none sees another's ballot. Null for a seat that is empty. */
export async function holdVote(jury: Jury, purpose: Purpose, shown: readonly number[]): Promise<(Ballot | null)[]> {
  const { progress } = jury
  return await Promise.all(
    progress.seats.map(({ name }, seat) =>
      fromSeat<Ballot>(jury, {
        seat,
        round: purpose === 'runoff' ? 4 : 1,
        row: `${ROWS[purpose]}: ${name}`,
        work: (judge) =>
          judge.kind === 'agent'
            ? screenBy(jury, judge, { seat, purpose, shown })
            : measureBy(jury, judge, { seat, shown }),
        note: (ballot) => noteOf(jury, ballot),
      }),
    ),
  )
}

/** Counts the ballots of a vote of round 1 and keeps the record. */
export function recordVote(jury: Jury, purpose: 'screening' | 'revote', ballots: (Ballot | null)[]): ScreeningResult {
  const { input, progress } = jury
  const names = input.candidates.map(({ name }) => name)
  const seats = progress.seats.map(({ name }, seat) => ({ judge: name, ballot: ballots[seat] ?? null }))
  const counted = concludeScreening(seats, names, thresholdOf({ ...input, mode: progress.mode }))
  const { consensus_analysis, vote_distribution } = counted.result
  const record: VoteRecord = {
    purpose,
    end: counted.end,
    ballots,
    eliminated: counted.eliminated,
    agreement: consensus_analysis.agreement_ratio,
    level: consensus_analysis.consensus_level,
    counts: names.map((name) => {
      const { raw_votes = 0, weighted_votes = 0 } = vote_distribution[name] ?? {}
      return { votes: raw_votes, weight: weighted_votes }
    }),
    conflicts: consensus_analysis.conflicts,
  }
  progress.votes.push(record)
  return counted
}

interface Asked {
  seat: number
  purpose: Purpose
  shown: readonly number[]
}

/** A judge that is asked: once, or twice with the order turned. A second answer that does not come leaves the first as it is. */
async function screenBy(jury: Jury, judge: AgentJudge, asked: Asked): Promise<Said<Ballot>> {
  const { input, progress } = jury
  const asksTwice = input.asks_twice ?? MODES[progress.mode].asksTwice
  const view = viewOf(jury, asked, false)
  const turnedView = viewOf(jury, asked, true)
  const [first, second] = await Promise.all([
    screenOnce(jury, judge, { ...asked, view, asking: 1 }),
    asksTwice ? screenOnce(jury, judge, { ...asked, view: turnedView, asking: 2 }) : null,
  ])
  if (first.status !== 'said') return first
  const turned = second?.status === 'said' ? second.value : null
  if (asked.purpose === 'screening' && turned !== null)
    progress.position[asked.seat] = positionBias({ view, ...first.value }, { view: turnedView, ...turned })
  const names = input.candidates.map(({ name }) => name)
  return { status: 'said', value: reconcile(first.value, turned, names) }
}

function viewOf({ input, progress }: Jury, { seat, purpose, shown }: Asked, isTurned: boolean): View {
  return viewFor({
    seed: input.seed,
    judge: progress.seats[seat]?.name ?? '',
    purpose,
    isTurned,
    shown,
    names: input.candidates.map(({ name }) => name),
    isBlind: input.is_blind,
    isShuffled: input.is_shuffled,
  })
}

async function screenOnce(
  jury: Jury,
  judge: AgentJudge,
  { seat, purpose, view, asking }: Asked & { view: View; asking: number },
): Promise<Said<Ballot>> {
  const { input, progress } = jury
  const name = progress.seats[seat]?.name ?? ''
  const said = await askJudge<ScreeningExtract>(jury, judge, {
    role: 'screener',
    step: `${purpose}-${seat + 1}-${judge.name.replaceAll('.', '_')}`,
    round: asking,
    seat: name,
    input: {
      ...commonInput(jury, name),
      candidates: view.order.map((candidate, at) => shownAs(input, candidate, view.labels[at] ?? '')),
      max_elimination: 1,
    },
  })
  if (said.status !== 'said') return said
  return { status: 'said', value: ballotOf(said.value.extract, view, input.candidates.length) }
}

/**
 * Before a vote, where programs have much to measure: a part of it. False when what is left belongs to the vote itself, which also tries
 * again what could not be measured here.
 */
export async function measurePart(jury: Jury): Promise<boolean> {
  const { input, progress } = jury
  const seats = programSeats(progress)
  const left = input.candidates.map((_, candidate) => candidate).slice(progress.measuredUpTo)
  const part = seats.length === 0 ? left : nextPart(jury, left, seats.length)
  if (part.length === left.length) return false
  const done = progress.measuredUpTo + part.length
  await Promise.all(
    seats.map(({ seat, name, judge }) =>
      fromSeat<number>(jury, {
        seat,
        round: 1,
        row: `${ROWS.screening}: ${name}`,
        hasMore: true,
        work: async () => {
          const measured = await measure(jury, judge, { seat, candidates: part })
          return measured.status === 'over' ? measured : { status: 'said', value: done }
        },
        note: (count) => `measured ${count} of ${input.candidates.length} candidates`,
      }),
    ),
  )
  progress.measuredUpTo = done
  return true
}

function programSeats({ seats }: EvalProgress): { seat: number; name: string; judge: ProgramJudge }[] {
  return seats.flatMap(({ name, holder }, seat) => (holder?.kind === 'measure' ? [{ seat, name, judge: holder }] : []))
}

/** A judge that is a program measures every candidate once; its ballot follows from the scores. */
async function measureBy(
  jury: Jury,
  judge: ProgramJudge,
  { seat, shown }: { seat: number; shown: readonly number[] },
): Promise<Said<Ballot>> {
  const { input, progress } = jury
  const all = input.candidates.map((_, candidate) => candidate)
  const measured = await measure(jury, judge, { seat, candidates: all })
  if (measured.status === 'over') return measured
  const scores = scoresOfMeasure(progress.measured[seat] ?? [])
  if (scores.every((score) => score === null)) return { status: 'lost', why: measured.why }
  const own = scores.map((score, candidate) => (shown.includes(candidate) ? score : null))
  return { status: 'said', value: { ...voteByScores(own), scores: own } }
}

function noteOf({ input }: Jury, { eliminated, confidence }: Ballot): string {
  const name = input.candidates[eliminated ?? -1]?.name
  return name === undefined ? 'abstains' : `against ${JSON.stringify(name)} (${confidence})`
}
