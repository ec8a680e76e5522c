import type { RoleName } from '../contracts/agent.js'
import type { EvalInput, Judge } from '../contracts/eval.js'
import { partOf } from '../rules/eval/parts.js'
import type { EvalProgress } from '../rules/eval/progress.js'
import { askRole, type Asking, type Replied } from './ask-role.js'
import type { Run } from './run.js'

/** An evaluation under way. */
export interface Jury {
  run: Run
  input: EvalInput
  progress: EvalProgress
  asking: Asking
  /** See `mayContinue`. */
  hasParts: boolean
}

export type AgentJudge = Extract<Judge, { kind: 'agent' }>
export type ProgramJudge = Extract<Judge, { kind: 'measure' }>

/** What came of a judge's work: a value in every case. `over`: the run is being ended, and nobody is to blame. */
export type Said<T> = { status: 'said'; value: T } | { status: 'lost'; why: string } | { status: 'over' }

export interface JudgeQuestion {
  role: RoleName
  /** Unique within the run, with `round`. */
  step: string
  round: number
  /** Of the seat: what an agent's transcript and a script call it by. */
  seat: string
  input: unknown
}

/** Asks one judge. The row on the run's list is the caller's: it stands for all that this judge does in a round. */
export async function askJudge<E>(jury: Jury, judge: AgentJudge, question: JudgeQuestion): Promise<Said<Replied<E>>> {
  const { run, asking, input } = jury
  const { role, step, round, seat } = question
  const asked = await askRole<E>(
    { ...asking, run: withoutRows(run), agents: [{ role: '*', agent: judge.agent }] },
    {
      role,
      row: role,
      step,
      round,
      taskId: seat,
      input: question.input,
      workspace: null,
      limitSeconds: input.limit_seconds,
      parallel: jury.progress.seats.length,
    },
  )
  if (asked.status === 'passed') return { status: 'said', value: asked.value }
  if (asked.status !== 'failed') return { status: 'over' }
  return { status: 'lost', why: `${asked.failure.type}: ${asked.failure.message}` }
}

/** The same run, live, but for its list. */
function withoutRows(run: Run): Run {
  const quiet: Pick<Run, 'mark' | 'note'> = { mark: () => undefined, note: () => undefined }
  return Object.assign(Object.create(run) as Run, quiet)
}

export interface SeatWork<T> {
  seat: number
  round: number
  /** Name on the run's list. */
  row: string
  /** The row stays open: the round is held in parts, and this is not the last. */
  hasMore?: boolean
  work: (judge: Judge) => Promise<Said<T>>
  note: (value: T) => string
}

/**
 * Has a seat do its part of a round. A judge that fails (after its own second try) is lost for the rest of the run: a spare takes the seat
 * and does the work, or it stays empty. The loss is named in either case.
 */
export async function fromSeat<T>({ run, progress }: Jury, task: SeatWork<T>): Promise<T | null> {
  const { seat, round, row } = task
  const holderOf = () => progress.seats[seat]?.holder ?? null
  let holder = holderOf()
  openRow(run, row, holder)
  while (holder !== null) {
    const said = await task.work(holder)
    if (said.status === 'said') return closeRow(run, task, said.value)
    if (said.status === 'over') {
      run.mark(row, 'canceled')
      return null
    }
    if (!replaceJudge(progress, { seat, round, why: said.why })) {
      run.mark(row, 'failed', said.why)
      return null
    }
    run.note(row, `a spare takes the seat of ${holder.name}: ${said.why}`)
    run.mark(row, 'running')
    holder = holderOf()
  }
  return null
}

/** A row that an earlier part of the round has opened, or closed with a loss, stays as it is. */
function openRow(run: Run, row: string, holder: Judge | null): void {
  run.plan([row])
  if (run.state.steps.find(({ name }) => name === row)?.status !== 'pending') return
  if (holder !== null) run.mark(row, 'running')
  else run.mark(row, 'unavailable', 'the judge was lost, and no spare is left')
}

function closeRow<T>(run: Run, { row, note, hasMore = false }: SeatWork<T>, value: T): T {
  if (hasMore) run.note(row, note(value))
  else run.mark(row, 'passed', note(value))
  return value
}

/** Names the loss and gives the seat to the next spare; false when there is none. */
function replaceJudge(
  progress: EvalProgress,
  { seat, round, why }: { seat: number; round: number; why: string },
): boolean {
  const spare = progress.spares.shift() ?? null
  const judge = progress.seats[seat]?.holder?.name ?? ''
  progress.losses.push({ round, judge, why, replacedBy: spare?.name ?? null })
  progress.seats = progress.seats.map((each, at) => (at === seat ? { ...each, holder: spare } : each))
  return spare !== null
}

/** How a candidate is shown where only one or two are: nothing of its name is left. */
export function shownAs(input: EvalInput, candidate: number, label: string) {
  const { kind, content } = input.candidates[candidate] ?? {}
  if (kind === undefined || content === undefined) throw new Error(`there is no candidate ${candidate}`)
  return { label, kind, content: { ...content, name: `candidate-${label}` } }
}

/** What every role is told. */
export function commonInput({ run, input }: Jury, seat: string) {
  return { evaluator_id: seat, criteria: input.criteria, guidance: run.guidance }
}

/** Of these candidates those that the next part of a round is about: all of them, unless they are too many for one history. */
export function nextPart({ hasParts }: Jury, left: readonly number[], seats: number): readonly number[] {
  return hasParts ? partOf(left, seats) : left
}
