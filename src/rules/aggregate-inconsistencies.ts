import type { AggregateInput, AggregateResult } from '../contracts/aggregate.js'
import { fractionOf, roundHalfUp } from './aggregate-fractions.js'
import type { AggregateSettings } from './aggregate-settings.js'
import { DIMENSIONS, showValue } from './aggregate-verdict.js'
import type { AggregateWords } from './aggregate-words.js'

/** Reviewers whose own `passed` does not follow from their score and issues: passed = score at least the minimum, and nothing Critical. */
export function findInconsistencies(
  input: AggregateInput,
  { thresholds }: AggregateSettings,
  words: AggregateWords,
): AggregateResult['inconsistencies'] {
  return DIMENSIONS.flatMap((dimension) => {
    const { passed, score, issues } = input[`${dimension}_result`]
    const least = thresholds[`${dimension}_min`]
    const criticals = issues.filter((issue) => issue.severity === 'Critical').length
    const isGood = score >= least && criticals === 0
    if (passed === isGood) return []
    const value = fractionOf(score)
    const below = words.below(dimension, showValue({ name: dimension, value, limit: least, isMet: false }), least)
    const bad = criticals > 0 ? words.critical(criticals) : below
    const why = isGood ? words.consistentScore(roundHalfUp(value), least) : bad
    return [{ dimension, passed, detail: words.inconsistent(dimension, passed, why) }]
  })
}
