import type { ScoreTable } from '../../contracts/run.js'
import { fractionOf, roundHalfUp } from '../aggregate-fractions.js'
import { fitWidth } from '../cli-progress.js'

/**
 * A small chart as plain lines of at most `width` characters: one column per round (the oldest go first where the width does not do), a
 * sparkline over all of them from 0 to 100, and what is still missing. Nothing before the first round.
 */
export function scoreChart({ rows, verdicts, best }: ScoreTable, width: number): string[] {
  const rounds = Math.max(0, ...rows.map(({ scores }) => scores.length))
  if (rounds === 0) return []
  const names = Math.max('verdict'.length, ...rows.map(({ name }) => name.length))
  const spark = Math.min(rounds, MAX_SPARK)
  const shown = Math.max(1, Math.min(rounds, Math.floor((width - names - spark - ENDS) / CELL)))
  const line = (name: string, cells: readonly string[], end: string) =>
    fitWidth(`${name.padEnd(names)}${cells.map((cell) => cell.padStart(CELL)).join('')}${end}`.trimEnd(), width)
  const numbers = Array.from({ length: rounds }, (_, at) => `${at + 1}${at + 1 === best ? '*' : ''}`).slice(-shown)
  return [
    line('round', numbers, rounds > shown ? `  (the last ${shown} of ${rounds})` : ''),
    ...rows.map(({ name, least, scores }) => {
      const cells = scores.slice(-shown).map((score) => `${shownScore(score)}`)
      return line(name, cells, `  ${sparkline(scores.slice(-spark))}  ${missing(scores.at(-1), least)}`)
    }),
    line('verdict', verdicts.slice(-shown).map(shortVerdict), ''),
  ]
}

const CELL = 8
const MAX_SPARK = 40
/** Blanks and the goal behind the sparkline. */
const ENDS = 18

const LEVELS = '▁▂▃▄▅▆▇█'

/** One mark per score; each mark is 12.5 points. */
export function sparkline(scores: readonly number[]): string {
  return scores.map((score) => LEVELS[Math.min(LEVELS.length - 1, Math.floor(Math.max(0, score) / 12.5))]).join('')
}

function shownScore(score: number): number {
  return roundHalfUp(fractionOf(score))
}

/** 84.999 is shown as 85, and has not reached it. */
function missing(score: number | undefined, least: number | null): string {
  if (score === undefined || least === null) return ''
  return score >= least ? `>= ${least}` : `needs ${least}`
}

/** Fits a column. */
function shortVerdict(verdict: string): string {
  return SHORT[verdict] ?? verdict.slice(0, CELL - 1)
}

const SHORT: Record<string, string> = { ITERATE: 'go on', FAIL_MAX_ITERATIONS: 'last', STALLED: 'stalled' }
