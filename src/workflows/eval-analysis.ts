import type { Artifact } from '../contracts/artifact.js'
import type { GroundOrder, GroundReply } from '../contracts/eval-orders.js'
import type { AnalysisExtract } from '../rules/eval/extracts.js'
import { analysisEnd } from '../rules/eval/gates.js'
import { scoresOfMeasure } from '../rules/eval/measures.js'
import { agentSeats, type EvalProgress } from '../rules/eval/progress.js'
import type { RoundEnd } from '../rules/eval/schedule.js'
import { ANGLES } from '../rules/eval/words.js'
import { attemptCall } from './attempt-call.js'
import {
  type AgentJudge,
  askJudge,
  commonInput,
  fromSeat,
  type Jury,
  nextPart,
  type Said,
  shownAs,
} from './eval-jury.js'

/** Round 2: every seat looks at every survivor. Null: at some of them, where they are many, and the round goes on. */
export async function holdAnalysis(jury: Jury): Promise<RoundEnd | null> {
  const { progress } = jury
  const left = progress.survivors.filter((candidate) => !progress.analysed.includes(candidate))
  const part = nextPart(jury, left, agentSeats(progress).length)
  const hasMore = part.length < left.length
  await analyse(jury, part, { round: 2, of: progress.survivors, hasMore })
  return hasMore ? null : analysisEnd(progress)
}

interface Round {
  round: 2 | 4
  /** All candidates of the round. */
  of: readonly number[]
  hasMore: boolean
}

/** All seats at once, each candidate after candidate; then the quotations are looked for. */
export async function analyse(jury: Jury, candidates: readonly number[], { round, of, hasMore }: Round): Promise<void> {
  const { progress } = jury
  const answers: Answers = new Map()
  await Promise.all(
    progress.seats.map((_, seat) =>
      fromSeat<number>(jury, {
        seat,
        round,
        row: rowOf(progress, { round, seat }),
        hasMore,
        work: async (judge) =>
          judge.kind === 'agent'
            ? await analyseBy(jury, judge, { seat, candidates, answers, round, of })
            : { status: 'said', value: takeMeasured(jury, { seat, candidates, of }) },
        note: (count) => `${count} of ${of.length} candidates`,
      }),
    ),
  )
  for (const candidate of candidates) await ground(jury, candidate, answers.get(candidate) ?? [])
  progress.analysed = [...new Set([...progress.analysed, ...candidates])]
}

type Answers = Map<number, GroundOrder['answers']>

interface Part {
  seat: number
  candidates: readonly number[]
  answers: Answers
  round: 2 | 4
  of: readonly number[]
}

async function analyseBy(jury: Jury, judge: AgentJudge, part: Part): Promise<Said<number>> {
  const { seat, candidates } = part
  const { progress } = jury
  for (const candidate of candidates) {
    if ((progress.cells[seat]?.[candidate] ?? null) !== null) continue
    const said = await analyseOne(jury, judge, { ...part, candidate })
    if (said.status !== 'said') return said
    const count = countOf(progress, part)
    // Showing takes as long as many answers: a large jury says it now and then.
    if (count % 10 === 0) jury.run.note(rowOf(progress, part), `${count} of ${part.of.length} candidates`)
  }
  return { status: 'said', value: countOf(progress, part) }
}

function rowOf({ seats }: EvalProgress, { round, seat }: Pick<Part, 'round' | 'seat'>): string {
  return `round ${round}: ${seats[seat]?.name ?? ''}`
}

function countOf(progress: EvalProgress, { seat, of }: Pick<Part, 'seat' | 'of'>): number {
  return of.filter((candidate) => (progress.cells[seat]?.[candidate] ?? null) !== null).length
}

async function analyseOne(jury: Jury, judge: AgentJudge, part: Part & { candidate: number }): Promise<Said<Artifact>> {
  const { input, progress } = jury
  const { seat, candidate, answers } = part
  const name = progress.seats[seat]?.name ?? ''
  const said = await askJudge<AnalysisExtract>(jury, judge, {
    role: 'defect-analyst',
    step: `analysis-${seat + 1}-${judge.name.replaceAll('.', '_')}-${candidate + 1}`,
    round: 1,
    seat: name,
    input: {
      ...commonInput(jury, name),
      candidate: shownAs(input, candidate, 'A'),
      analysis_angles: [...ANGLES],
      context: [],
    },
  })
  if (said.status !== 'said') return said
  const { extract, answer } = said.value
  const row = progress.cells[seat] ?? []
  row[candidate] = { score: extract.score, severities: { Critical: 0, Major: 0, Minor: 0 }, angles: [] }
  progress.defects[candidate] = [...(progress.defects[candidate] ?? []), ...extract.titles].sort().slice(0, 5)
  answers.set(candidate, [...(answers.get(candidate) ?? []), { seat, judge: name, answer }])
  return { status: 'said', value: answer }
}

/** What a program has measured is its analysis: evidence by itself. */
function takeMeasured({ progress }: Jury, { seat, candidates, of }: Pick<Part, 'seat' | 'candidates' | 'of'>): number {
  const measured = progress.measured[seat] ?? []
  const scores = scoresOfMeasure(measured)
  const row = progress.cells[seat] ?? []
  for (const candidate of candidates) {
    const cell = measured[candidate] ?? null
    if (cell === null) continue
    row[candidate] = { score: scores[candidate] ?? null, severities: cell.severities, angles: [cell.angle] }
  }
  return countOf(progress, { seat, of })
}

/** Only what is quoted from the candidate counts. Should nobody be able to look, nothing counts: gate 2 says so. */
async function ground(
  { run, input, progress }: Jury,
  candidate: number,
  answers: GroundOrder['answers'],
): Promise<void> {
  const each = input.candidates[candidate]
  if (answers.length === 0 || each === undefined) return
  const sorted = [...answers].sort((one, other) => one.seat - other.seat)
  const order: GroundOrder = { candidate: each, answers: sorted }
  const done = await attemptCall<GroundOrder, GroundReply>(run, {
    step: `evidence: ${each.name}`,
    activity: 'groundAnalyses',
    input: order,
  })
  if (done.status !== 'passed') return
  for (const { seat, angles, severities, invented } of done.value.grounded) {
    const cell = progress.cells[seat]?.[candidate] ?? null
    if (cell !== null) (progress.cells[seat] ?? [])[candidate] = { ...cell, angles, severities }
    progress.invented[seat] = (progress.invented[seat] ?? 0) + invented
  }
  run.keep([done.value.record])
}
