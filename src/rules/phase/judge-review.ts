import type { AcceptanceResult } from '../../contracts/phase-answers.js'
import type { PhaseOutcome } from './outcomes.js'

export interface JudgedReview {
  outcome: PhaseOutcome<'accept'>
  /** Why it is not approved, a sentence each; empty when it is. */
  blockers: string[]
  /** Where the review contradicts itself; they are told, and those that matter have made a blocker. */
  inconsistencies: string[]
}

/**
 * Whether a review approves. Its own `approved` is not enough: blockers, a criterion left to the reviewer that is not met or not
 * judged, each forbid it (pipelines.md, phase 6 and 8). Scores are reported and never decide.
 */
export function judgeReview(review: AcceptanceResult, unmeasured: readonly string[]): JudgedReview {
  const { approved, criteria = [] } = review
  const own = review.blockers.filter((text) => text.trim() !== '')
  const refused = approved || own.length > 0 ? [] : ['The reviewer did not approve and named no blocker.']
  const unmet = unmeasured.flatMap((criterion) => {
    const said = criteria.find((each) => each.criterion === criterion)
    if (said === undefined) return [`Not judged: ${criterion}`]
    return said.met ? [] : [`Not met: ${criterion} (${said.reason})`]
  })
  const blockers = [...own, ...unmet, ...refused]
  return {
    outcome: blockers.length === 0 ? 'approved' : 'not_approved',
    blockers,
    inconsistencies: inconsistenciesOf(review, { hasBlockers: own.length > 0, isUnmet: unmet.length > 0 }),
  }
}

function inconsistenciesOf(review: AcceptanceResult, found: { hasBlockers: boolean; isUnmet: boolean }): string[] {
  const { approved, overallScore } = review
  const scores = DIMENSIONS.map((name) => review[name].score)
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  return [
    ...(approved && found.hasBlockers ? ['approved is true, yet there are blockers'] : []),
    ...(approved && found.isUnmet ? ['approved is true, yet not every criterion is said to be met'] : []),
    ...(overallScore < low || overallScore > high
      ? [`overallScore is ${overallScore}, yet the four scores lie between ${low} and ${high}`]
      : []),
  ]
}

/** Seed 001, 5.8. */
export const DIMENSIONS = ['codeQuality', 'bestPractices', 'security', 'documentation'] as const
