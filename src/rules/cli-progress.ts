import type { RunState, Step, StepStatus } from '../contracts/run.js'
import { showDuration } from './cli-duration.js'
import { STEP_MARKS } from './step-marks.js'

/** One line of the live table: what is shown of a step. */
export interface StepLine {
  mark: string
  name: string
  status: StepStatus
  /** 'attempt 2', or '' for the first. */
  attempt: string
  /** '3.2 s', or '' before the start. */
  elapsed: string
  /** One line; '' when there is nothing to say. */
  note: string
}

/** The steps of a run as lines of a table; `nowMs` makes the clock of those that run. */
export function stepLines(steps: readonly Step[], nowMs: number): StepLine[] {
  return steps.map((step) => ({
    mark: STEP_MARKS[step.status],
    name: step.name,
    status: step.status,
    attempt: step.attempt > 1 ? `attempt ${step.attempt}` : '',
    elapsed: elapsedOf(step, nowMs),
    note: plainLine(step.note ?? ''),
  }))
}

/** The same as text in columns, each line at most `width` characters. */
export function stepTable(steps: readonly Step[], { nowMs, width }: { nowMs: number; width: number }): string[] {
  const lines = stepLines(steps, nowMs)
  const names = widest(lines.map((line) => line.name))
  const statuses = widest(lines.map((line) => line.status))
  const attempts = widest(lines.map((line) => line.attempt))
  const clocks = widest(lines.map((line) => line.elapsed))
  return lines.map((line) => {
    const cells = [
      line.mark,
      line.name.padEnd(names),
      line.status.padEnd(statuses),
      ...(attempts > 0 ? [line.attempt.padEnd(attempts)] : []),
      line.elapsed.padStart(clocks),
      line.note,
    ]
    return fitWidth(cells.join('  ').trimEnd(), width)
  })
}

/** What became new between two looks at a run, one plain line each: for where lines cannot be redrawn. */
export function newLines(before: RunState | null, after: RunState, nowMs: number): string[] {
  const steps = after.steps.filter((step) => {
    const old = before?.steps.find((each) => each.name === step.name)
    return old === undefined ? step.status !== 'pending' : isNews(old, step)
  })
  const pause = after.status === 'paused' && before?.status !== 'paused' ? ['paused: gauntlet resume goes on'] : []
  return [...steps.map((step) => changeLine(step, nowMs)), ...pause]
}

/** A row that is used again, in the next round, may end as it ended before. */
function isNews(old: Step, step: Step): boolean {
  const isAgain = step.started_at !== null && step.started_at !== old.started_at
  return isAgain || step.status !== old.status || step.attempt !== old.attempt
}

function changeLine(step: Step, nowMs: number): string {
  const attempt = step.attempt > 1 ? `, attempt ${step.attempt}` : ''
  const elapsed = step.status === 'running' ? '' : elapsedOf(step, nowMs)
  const clock = elapsed === '' ? '' : ` (${elapsed})`
  const note = step.note === null ? '' : `: ${plainLine(step.note)}`
  return `${STEP_MARKS[step.status]} ${step.name} ${step.status}${attempt}${clock}${note}`
}

function elapsedOf({ started_at, ended_at }: Step, nowMs: number): string {
  if (started_at === null) return ''
  return showDuration((ended_at === null ? nowMs : Date.parse(ended_at)) - Date.parse(started_at))
}

/** Text of tools and strangers as one line that cannot steer a terminal. */
export function plainLine(text: string): string {
  return text.replaceAll(CONTROL, ' ').replaceAll(/\s+/g, ' ').trim()
}

/** The same for text of several lines: only line ends and tabs are left of what is no letter. */
export function plainText(text: string): string {
  return text.replaceAll(CONTROL_BUT_LINES, '')
}

// C0 and C1 controls, and the marks that turn the direction of writing.
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
const CONTROL_BUT_LINES = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

function widest(cells: readonly string[]): number {
  return Math.max(0, ...cells.map((cell) => cell.length))
}

/** Cuts at the width of the terminal, so that one line stays one line when it is drawn again. */
export function fitWidth(line: string, width: number): string {
  const characters = Array.from(line)
  return characters.length <= width ? line : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}
