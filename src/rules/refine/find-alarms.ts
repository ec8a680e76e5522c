import type { CriticalSighting, RefineAlarms, RefineRound } from '../../contracts/refine.js'
import { compareTo, fractionOf, minus } from '../aggregate-fractions.js'
import { DIMENSIONS } from '../aggregate-verdict.js'
import { matchSightings } from './match-sightings.js'

type Judged = Pick<RefineRound, 'scores' | 'overall' | 'criticals'>

/** What the course of the rounds shows besides progress (pipelines.md, refine 8). Named to the writer and to people; it decides nothing. */
export function findAlarms(rounds: readonly Judged[]): RefineAlarms {
  return {
    persisting: persistingCriticals(rounds).map(placeOf),
    oscillating: isOscillating(rounds),
    regressions: findRegressions(rounds),
  }
}

/** So many rounds in a row. */
const WATCHED_ROUNDS = 3
/** Points between the highest and the lowest overall score of those rounds. */
const OSCILLATION_POINTS = 6
/** A dimension that loses more than this has gone back. */
const REGRESSION_POINTS = 10

/** As the last round saw them. */
function persistingCriticals(rounds: readonly Judged[]): CriticalSighting[] {
  const watched = rounds.slice(-WATCHED_ROUNDS)
  if (watched.length < WATCHED_ROUNDS) return []
  const [first, ...later] = watched.map(({ criticals }) => criticals)
  return later.reduce((kept, criticals) => matchSightings(kept, criticals), first ?? [])
}

function placeOf({ type, file, line }: CriticalSighting): string {
  return `${type} ${file}${line === null ? '' : `:${line}`}`
}

function isOscillating(rounds: readonly Judged[]): boolean {
  const scores = rounds.slice(-WATCHED_ROUNDS).map(({ overall }) => overall)
  if (scores.length < WATCHED_ROUNDS) return false
  const range = minus(fractionOf(Math.max(...scores)), fractionOf(Math.min(...scores)))
  return compareTo(range, OSCILLATION_POINTS) <= 0
}

function findRegressions(rounds: readonly Judged[]): RefineAlarms['regressions'] {
  const [before, last] = rounds.slice(-2)
  if (before === undefined || last === undefined) return []
  return DIMENSIONS.filter((name) => {
    const lost = minus(fractionOf(before.scores[name]), fractionOf(last.scores[name]))
    return compareTo(lost, REGRESSION_POINTS) > 0
  }).map((dimension) => ({ dimension, from: before.scores[dimension], to: last.scores[dimension] }))
}
