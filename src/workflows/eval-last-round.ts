import type { Resurrection } from '../contracts/eval-answers.js'
import { resurrectionVerdict } from '../rules/eval/attack-verdict.js'
import { rankNow } from '../rules/eval/conclusion.js'
import type { ReviewExtract } from '../rules/eval/extracts.js'
import { columnOf, roundEnd } from '../rules/eval/gates.js'
import { MODES } from '../rules/eval/modes.js'
import { agentSeats } from '../rules/eval/progress.js'
import { isMilder } from '../rules/eval/resurrection.js'
import type { EvalFacts, RoundEnd } from '../rules/eval/schedule.js'
import { analyse } from './eval-analysis.js'
import { askJudge, commonInput, fromSeat, type Jury, type Said, shownAs } from './eval-jury.js'

/** Those that had the fewest votes against them; more would cost a round of analyses each. */
const MAX_RETURNS = 3

/** Round 4: whoever was voted out is analysed too; if it turns out milder than the best that stayed, it may come back. */
export async function holdResurrection(jury: Jury): Promise<NonNullable<EvalFacts['resurrection']>> {
  const { progress } = jury
  const counts = progress.votes.at(-1)?.counts ?? []
  const votesAgainst = (candidate: number) => counts[candidate]?.votes ?? 0
  const gone = progress.out
    .filter(({ round, isMeasured }) => round === 1 && !isMeasured)
    .map(({ candidate }) => candidate)
    .sort((one, other) => votesAgainst(one) - votesAgainst(other))
    .slice(0, MAX_RETURNS)
  if (gone.length === 0) return 'none'
  await analyse(jury, gone, { round: 4, of: gone, hasMore: false })
  const [best] = rankNow(progress).ranking
  if (best === undefined) return 'none'
  for (const candidate of gone) await reconsider(jury, candidate, best.candidate)
  const decisions = progress.resurrections.map(({ decision }) => decision)
  if (decisions.includes('needs_review')) return 'in_doubt'
  return decisions.includes('resurrect') ? 'decided' : 'none'
}

async function reconsider(jury: Jury, candidate: number, best: number): Promise<void> {
  const { progress } = jury
  const milder = isMilder(columnOf(progress, candidate), columnOf(progress, best))
  const asked = milder === true ? agentSeats(progress).slice(0, MODES[progress.mode].reviewers) : []
  const answers = (await Promise.all(asked.map((seat) => evaluate(jury, { seat, candidate, best })))).filter(
    (answer) => answer !== null,
  )
  // With nobody to ask, what was measured decides.
  const decision = milder !== true ? 'stay_eliminated' : asked.length === 0 ? 'resurrect' : resurrectionVerdict(answers)
  progress.resurrections.push({ candidate, isMilder: milder, answers, decision })
}

type Evaluation = { judge: string } & Pick<Resurrection, 'decision' | 'confidence' | 'reason'>

async function evaluate(
  jury: Jury,
  { seat, candidate, best }: { seat: number; candidate: number; best: number },
): Promise<Evaluation | null> {
  const { input, progress } = jury
  const name = progress.seats[seat]?.name ?? ''
  const ballots = progress.votes.at(-1)?.ballots ?? []
  const reasons = ballots.flatMap((ballot) => (ballot?.eliminated === candidate ? [ballot.reason] : []))
  return await askSeat<Omit<Evaluation, 'judge'>>(jury, {
    seat,
    row: `round 4: ${name} on the return of ${input.candidates[candidate]?.name ?? ''}`,
    role: 'resurrection-evaluator',
    step: `return-${candidate + 1}`,
    input: {
      ...commonInput(jury, name),
      eliminated: shownAs(input, candidate, 'A'),
      reasons,
      survivor: shownAs(input, best, 'B'),
      survivor_defects: progress.defects[best] ?? [],
    },
    note: ({ decision }) => decision.replaceAll('_', ' '),
  })
}

/** Round 4: whoever leads is held against the criteria one last time. */
export async function holdReview(jury: Jury): Promise<RoundEnd> {
  const { input, progress } = jury
  const [winner = null, ...others] = rankNow(progress).leaders
  const seats = agentSeats(progress).slice(0, MODES[progress.mode].reviewers)
  if (winner === null || others.length > 0 || seats.length === 0) return 'skipped'
  const reviews = await Promise.all(
    seats.map((seat) => {
      const name = progress.seats[seat]?.name ?? ''
      return askSeat<ReviewExtract>(jury, {
        seat,
        row: `round 4: ${name} reviews ${input.candidates[winner]?.name ?? ''}`,
        role: 'final-reviewer',
        step: `review-${winner + 1}`,
        input: {
          ...commonInput(jury, name),
          candidate: shownAs(input, winner, 'A'),
          findings: progress.defects[winner] ?? [],
        },
        note: ({ verdict }) => verdict.replace('_', ' '),
      })
    }),
  )
  const said = reviews.filter((review) => review !== null)
  for (const { judge, verdict, reason, warnings } of said) {
    progress.reviews.push({ candidate: winner, judge, verdict, reason })
    progress.defects[winner] = [...new Set([...(progress.defects[winner] ?? []), ...warnings])].slice(0, 5)
  }
  return roundEnd(said.length, seats.length)
}

interface SeatQuestion<E> {
  seat: number
  row: string
  role: 'resurrection-evaluator' | 'final-reviewer'
  step: string
  input: unknown
  note: (extract: E) => string
}

/** One answer of one seat in round 4. */
async function askSeat<E>(jury: Jury, question: SeatQuestion<E>): Promise<(E & { judge: string }) | null> {
  const { seat, row, role, step, input, note } = question
  const name = jury.progress.seats[seat]?.name ?? ''
  const extract = await fromSeat<E>(jury, {
    seat,
    round: 4,
    row,
    work: async (judge): Promise<Said<E>> => {
      if (judge.kind !== 'agent') return { status: 'lost', why: 'a program cannot be asked this' }
      const own = `${step}-${seat + 1}-${judge.name.replaceAll('.', '_')}`
      const said = await askJudge<E>(jury, judge, { role, step: own, round: 1, seat: name, input })
      return said.status === 'said' ? { status: 'said', value: said.value.extract } : said
    },
    note,
  })
  return extract === null ? null : { ...extract, judge: name }
}
