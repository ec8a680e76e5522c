import type { AcceptanceCriterion } from '../../contracts/phase.js'
import type { CriterionResult } from '../../contracts/quality.js'

type Measured = Exclude<AcceptanceCriterion, string>

/** Criteria as the acceptance gate takes them: a bare sentence names no measure. */
export function criteriaOf(criteria: readonly AcceptanceCriterion[]): Measured[] {
  return criteria.map((each) => (typeof each === 'string' ? { criterion: each } : each))
}

/** What the gate could not measure is left to the reviewer, by its words. */
export function leftToReviewer(results: readonly CriterionResult[]): string[] {
  return results.filter(({ status }) => status === 'unmeasured').map(({ criterion }) => criterion)
}
