import type { ScoreAnswer } from '../../contracts/eval-score.js'
import type { Vote } from '../../contracts/votes.js'
import type { ScoreRow } from './ranks.js'

export type Scored = Pick<ScoreAnswer, 'score' | 'measured'>

/**
 * A program's scores, 0 to 10, one per candidate. Its own scores stand as they are. Measured values become scores by their ratio to the
 * best of them: twice as slow as the fastest is 5. Null where there was no answer, or where a value in another unit cannot be compared.
 */
export function scoresOfMeasure(cells: readonly (Scored | null)[]): ScoreRow {
  const first = cells.find((cell) => (cell?.measured ?? null) !== null)?.measured
  const values = cells.flatMap((cell) => (cell?.measured?.unit === first?.unit ? (cell?.measured?.value ?? []) : []))
  const best = first?.better === 'higher' ? Math.max(...values) : Math.min(...values)
  return cells.map((cell) => {
    if (cell === null) return null
    const { score, measured } = cell
    if (measured === null || first === null || first === undefined) return score
    if (measured.unit !== first.unit || measured.better !== first.better) return null
    return ratioScore(measured.value, best, measured.better)
  })
}

function ratioScore(value: number, best: number, better: 'lower' | 'higher'): number {
  const [small, large] = better === 'lower' ? [best, value] : [value, best]
  // Nothing at all is as good as nothing at all.
  return large === 0 ? 10 : (10 * small) / large
}

/** Whom a program votes out: the lowest of its scores, as sure as it lies below the next. Level at the bottom, it abstains. */
export function voteByScores(scores: ScoreRow): {
  eliminated: number | null
  confidence: Vote['elimination_decision']['confidence']
  reason: string
} {
  const known = scores.filter((score) => score !== null).sort((a, b) => a - b)
  const [lowest, next] = known
  if (lowest === undefined || next === undefined)
    return { eliminated: null, confidence: 'Low', reason: 'fewer than two candidates have a score' }
  if (lowest === next)
    return { eliminated: null, confidence: 'Low', reason: `several share the lowest score, ${show(lowest)}` }
  const margin = next - lowest
  const confidence = margin >= 2 ? 'High' : margin >= 1 ? 'Medium' : 'Low'
  const reason = `the lowest score, ${show(lowest)}; the next is ${show(next)}`
  return { eliminated: scores.indexOf(lowest), confidence, reason }
}

function show(score: number): string {
  return String(Math.round(score * 100) / 100)
}
