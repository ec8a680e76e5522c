import type { AggregateInput, AggregateResult, Dimension, Recommendation } from '../contracts/aggregate.js'
import { compareTo, type Fraction, fractionOf, minus, roundHalfUp, weightedMean } from './aggregate-fractions.js'
import type { IssueCounts } from './aggregate-issues.js'
import type { AggregateSettings } from './aggregate-settings.js'

export const DIMENSIONS = ['security', 'quality', 'performance'] as const satisfies Dimension[]

/** One row of the seed's table of thresholds, measured. */
export interface Check {
  name: 'critical' | 'high' | 'overall' | Dimension
  /** Exact. */
  value: Fraction
  /** At most this for counts of issues, at least this for scores. */
  limit: number
  isMet: boolean
}

export interface Verdict {
  recommendation: Recommendation
  /** In the seed's order: the first that is not met is the reason. */
  checks: readonly Check[]
  overall: Fraction
  progress: Progress
}

export interface Progress {
  previous: number | null
  /** Exact. */
  improvement: Fraction | null
  trend: AggregateResult['progress']['trend']
  isStalled: boolean
}

/** Seed 000, `determine_result`; PASS comes before FAIL_MAX_ITERATIONS, that before STALLED, that before ITERATE. All on exact numbers. */
export function decideVerdict(
  input: AggregateInput,
  counts: IssueCounts,
  { thresholds, weights }: AggregateSettings,
): Verdict {
  const overall = weightedMean(DIMENSIONS.map((name) => ({ value: scoreOf(input, name), weight: weights[name] })))
  const minima = DIMENSIONS.map((name) => atLeast(name, fractionOf(scoreOf(input, name)), thresholds[`${name}_min`]))
  const checks = [
    atMost('critical', counts.critical, thresholds.critical_max),
    atMost('high', counts.high, thresholds.high_max),
    ...minima,
    atLeast('overall', overall, thresholds.overall_min),
  ]
  const progress = checkProgress(overall, input.previous_scores ?? [], thresholds.stall_points)
  const isLast = input.iteration >= thresholds.max_iterations
  return { recommendation: recommend(checks, isLast, progress), checks, overall, progress }
}

export function scoreOf(input: AggregateInput, name: Dimension): number {
  return input[`${name}_result`].score
}

function recommend(checks: readonly Check[], isLast: boolean, { isStalled }: Progress): Recommendation {
  if (checks.every((check) => check.isMet)) return 'PASS'
  if (isLast) return 'FAIL_MAX_ITERATIONS'
  return isStalled ? 'STALLED' : 'ITERATE'
}

function atMost(name: Check['name'], value: number, limit: number): Check {
  return { name, value: fractionOf(value), limit, isMet: value <= limit }
}

function atLeast(name: Check['name'], value: Fraction, limit: number): Check {
  return { name, value, limit, isMet: compareTo(value, limit) >= 0 }
}

/** Seed 000, `check_progress`: less than `stallPoints` gained now and less than that the time before. A loss is no gain. */
export function checkProgress(current: Fraction, previous: readonly number[], stallPoints: number): Progress {
  const last = previous.at(-1)
  const before = previous.at(-2)
  if (last === undefined) return { previous: null, improvement: null, trend: null, isStalled: false }
  const improvement = minus(current, fractionOf(last))
  const earlier = before === undefined ? null : minus(fractionOf(last), fractionOf(before))
  const isStalled = earlier !== null && compareTo(improvement, stallPoints) < 0 && compareTo(earlier, stallPoints) < 0
  return { previous: last, improvement, trend: trendOf(improvement), isStalled }
}

/** Five points, in every preset. */
function trendOf(improvement: Fraction): Progress['trend'] {
  if (compareTo(improvement, 5) >= 0) return 'improving'
  return compareTo(improvement, -5) <= 0 ? 'declining' : 'stable'
}

/** Rounded half up to two decimals; with more where two would look as if the limit had been reached (79.996 against 80). */
export function showValue({ value, limit, isMet }: Check): number {
  const isPlain = isMet || value.bottom === 1n
  const decimals = [2, 3, 4, 6, 9].find((each) => isPlain || roundHalfUp(value, each) < limit)
  return roundHalfUp(value, decimals ?? 12)
}
