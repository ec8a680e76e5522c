import type { OpenSpecSession, OpenSpecTask, QuickResume } from '../../contracts/openspec.js'
import type { RefineRound } from '../../contracts/refine.js'
import type { ProjectedFile, RunState } from '../../contracts/run.js'
import { fractionOf, roundHalfUp } from '../aggregate-fractions.js'
import { DIMENSIONS } from '../aggregate-verdict.js'
import { showDuration } from '../cli-duration.js'
import { bestRound } from './best-round.js'
import { findAlarms } from './find-alarms.js'
import type { RefineProgress } from './refine-progress.js'
import { alarmLines } from './refine-questions.js'

/** What a run wants in the files of its OpenSpec change: a session per judged round, one Quick Resume, and a tick when the task passed. */
export function projectOpenSpec(progress: RefineProgress, state: RunState): ProjectedFile[] {
  const { openspec } = progress.input
  if (openspec === null || progress.rounds.length === 0) return []
  const { change, folder, task } = openspec
  const hasPassed = progress.rounds.at(-1)?.recommendation === 'PASS'
  const sessions = progress.rounds.map((_, at) => sessionOf(progress, state, at))
  const quick_resume = resumeOf(progress, state)
  return [
    { path: `${folder}/context.md`, openspec: { kind: 'context', change, sessions, quick_resume } },
    ...(hasPassed && task !== null ? [{ path: `${folder}/tasks.md`, openspec: { kind: 'tick' as const, task } }] : []),
  ]
}

function sessionOf({ input, rounds, startedAt }: RefineProgress, state: RunState, at: number): OpenSpecSession {
  const soFar = rounds.slice(0, at + 1)
  const round = soFar.at(-1)
  if (round === undefined) throw new Error(`there is no round at ${at}`)
  const task = round.recommendation === 'PASS' ? taskLine(input.openspec?.task ?? null) : ''
  return {
    id: `refine/${input.key} ${state.run_id} round ${round.round}`,
    at: round.ended_at,
    completed_tasks: task === '' ? [] : [task],
    scores: soFar.map((each, index) => scoreLine(each, rounds[index - 1])),
    decisions: [`${round.recommendation}: ${cut(round.reason)}`],
    changes: round.is_unchanged ? ['the code was left as it was'] : round.changes.map(cut),
    issues: issueLines(round, soFar),
    duration: showDuration(Date.parse(round.ended_at) - Date.parse(rounds[at - 1]?.ended_at ?? startedAt)),
  }
}

function issueLines({ issue_counts }: RefineRound, soFar: readonly RefineRound[]): string[] {
  const { critical, high, medium, low } = issue_counts
  const counts = `Critical ${critical}, High ${high}, Medium ${medium}, Low ${low}`
  return [counts, ...alarmLines(findAlarms(soFar), 'en').map(cut)].slice(0, 30)
}

function scoreLine({ round, overall, scores, recommendation }: RefineRound, before: RefineRound | undefined): string {
  const gain = before === undefined ? '' : ` (${signed(shown(overall) - shown(before.overall))})`
  const parts = DIMENSIONS.map((name) => `${name} ${shown(scores[name])}`)
  return `round ${round}: overall ${shown(overall)}${gain}, ${parts.join(', ')}: ${recommendation}`
}

function resumeOf(progress: RefineProgress, state: RunState): QuickResume {
  const { input, rounds, facts, work } = progress
  const last = rounds.at(-1)
  if (last === undefined) throw new Error('nothing is told before the first round')
  const points = `round ${last.round} of ${facts.maxRounds}, overall ${shown(last.overall)}`
  return {
    tldr: cut(`${state.verdict ?? 'under way'}: ${points}. ${last.reason}`),
    task: taskLine(input.openspec?.task ?? null) || cut(input.title),
    doing: doingOf(progress, state),
    files: (work?.paths ?? []).slice(0, 20),
    blockers: state.questions.filter(({ answer }) => answer === null).map(({ title }) => cut(title)),
    next_steps: [cut(last.next_action), ...bestLine(rounds)],
  }
}

function doingOf({ input, rounds }: RefineProgress, { verdict }: RunState): string {
  if (verdict !== null) return `the run ended as ${verdict}`
  return `the refine loop (run refine/${input.key}) goes on with round ${rounds.length + 1}`
}

function bestLine(rounds: readonly RefineRound[]): string[] {
  const best = bestRound(rounds)
  return best === null ? [] : [`best round so far: ${best.round}, commit ${best.commit.slice(0, 12)}`]
}

function taskLine(task: OpenSpecTask | null): string {
  return task === null ? '' : cut(task.number === null ? task.text : `${task.number} ${task.text}`)
}

function shown(score: number): number {
  return roundHalfUp(fractionOf(score))
}

function signed(change: number): string {
  const exact = Number(change.toFixed(2))
  return exact < 0 ? `${exact}` : `+${exact}`
}

function cut(line: string): string {
  return line.length > 400 ? `${line.slice(0, 399)}…` : line
}
