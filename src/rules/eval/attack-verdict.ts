import type { Attack, FinalReview, Resurrection } from '../../contracts/eval-answers.js'
import type { Confidence } from '../../contracts/votes.js'
import { DEFAULT_WEIGHTS, TOLERANCE } from '../votes-tally.js'

export interface AttackSummary {
  recommendation: Attack['final_judgment']['recommendation']
  criticals: number
  confidence: Confidence
  reason: string
}

/**
 * Round 3 for one leader: out when the weighted votes of its devil's advocates against it reach two (one with a single advocate) and a
 * Critical defect stands behind it. Robustness, 0 to 1, is what the confidence takes from it.
 */
export function attackVerdict(attacks: readonly AttackSummary[]): { isOut: boolean; robustness: number | null } {
  if (attacks.length === 0) return { isOut: false, robustness: null }
  const against = attacks.filter(({ recommendation, criticals }) => recommendation === 'eliminate' && criticals > 0)
  const weight = against.reduce((sum, { confidence }) => sum + DEFAULT_WEIGHTS[confidence], 0)
  const robustness = attacks.reduce((sum, { recommendation }) => sum + ROBUSTNESS[recommendation], 0) / attacks.length
  return { isOut: weight >= Math.min(2, attacks.length) - TOLERANCE, robustness }
}

const ROBUSTNESS = { continue: 1, require_mitigation: 0.5, eliminate: 0 } as const

/** Round 4, the final review: more than half of the reviewers say so. */
export function reviewVerdict(reviews: readonly FinalReview['verdict'][]): FinalReview['verdict'] | null {
  if (reviews.length === 0) return null
  if (2 * reviews.filter((verdict) => verdict === 'disqualified').length > reviews.length) return 'disqualified'
  return reviews.every((verdict) => verdict === 'qualified') ? 'qualified' : 'needs_mitigation'
}

/** Round 4, resurrection: a weighted vote; level, or mostly in doubt, is for a person. */
export function resurrectionVerdict(
  answers: readonly Pick<Resurrection, 'decision' | 'confidence'>[],
): Resurrection['decision'] {
  const weights = { resurrect: 0, stay_eliminated: 0, needs_review: 0 }
  for (const { decision, confidence } of answers) weights[decision] += DEFAULT_WEIGHTS[confidence]
  const { resurrect, stay_eliminated: stay, needs_review: doubt } = weights
  if (doubt > Math.max(resurrect, stay) - TOLERANCE) return 'needs_review'
  if (Math.abs(resurrect - stay) <= TOLERANCE) return 'needs_review'
  return resurrect > stay ? 'resurrect' : 'stay_eliminated'
}
