import type {
  AggregateInput,
  AggregateResult,
  Dimension,
  DimensionResult,
  Lang,
  ReviewIssue,
} from '../../contracts/aggregate.js'
import type { JudgeOrder } from '../../contracts/refine.js'
import { fractionOf, roundHalfUp, weightedMean } from '../aggregate-fractions.js'
import { DIMENSIONS } from '../aggregate-verdict.js'
import { aggregate } from '../aggregate.js'
import { checkIssues, type CodeOf } from './check-issues.js'
import { DEDUCTIONS, scoreByDeductions } from './deductions.js'

export interface RoundReviews {
  order: Pick<JudgeOrder, 'round' | 'tech_stack' | 'previous_scores' | 'thresholds' | 'weights' | 'lang'>
  reviews: Readonly<Record<Dimension, DimensionResult>>
  codeOf: CodeOf
}

export interface JudgedReviews {
  result: AggregateResult
  /** As they were decided on. */
  scores: Record<Dimension, number>
  /** To nine decimals: enough for every decision, and a plain number for history. */
  overall: number
  /** One line each: a review against itself, and against the code. */
  inconsistencies: string[]
  refuted: RefutedFinding[]
}

export interface RefutedFinding {
  dimension: Dimension
  issue: ReviewIssue
  why: string
}

/**
 * The verdict on a round (seed 000), on what is true of its code: issues that are not are left out and their points given back to the
 * score. Where a score does not follow from its issues that is said; it counts all the same.
 */
export function judgeReviews({ order, reviews, codeOf }: RoundReviews): JudgedReviews {
  const { round, tech_stack, previous_scores, thresholds, weights, lang } = order
  const { security, quality, performance } = reviews
  const checked = {
    security: checkReview('security', security, { codeOf, lang }),
    quality: checkReview('quality', quality, { codeOf, lang }),
    performance: checkReview('performance', performance, { codeOf, lang }),
  }
  const { language, framework, constraints } = tech_stack
  const input: AggregateInput = {
    iteration: round,
    tech_stack: { language, framework, constraints },
    security_result: checked.security.review,
    quality_result: checked.quality.review,
    performance_result: checked.performance.review,
    previous_scores: [...previous_scores],
  }
  const result = aggregate(input, { thresholds, weights }, lang)
  const parts = DIMENSIONS.map((name) => ({ value: checked[name].review.score, weight: weights[name] }))
  return {
    result,
    scores: {
      security: checked.security.review.score,
      quality: checked.quality.review.score,
      performance: checked.performance.review.score,
    },
    overall: roundHalfUp(weightedMean(parts), 9),
    inconsistencies: [
      ...result.inconsistencies.map(({ detail }) => detail),
      ...DIMENSIONS.flatMap((name) => checked[name].notes),
    ],
    refuted: DIMENSIONS.flatMap((name) => checked[name].refuted),
  }
}

interface CheckedReview {
  review: DimensionResult
  notes: string[]
  refuted: RefutedFinding[]
}

function checkReview(
  dimension: Dimension,
  review: DimensionResult,
  { codeOf, lang }: { codeOf: CodeOf; lang: Lang },
): CheckedReview {
  const { kept, refuted } = checkIssues(review.issues, codeOf, lang)
  const given = refuted.reduce((sum, { issue }) => sum + DEDUCTIONS[dimension][issue.severity], 0)
  // Binary sums leave 64.10000000000001, and scores are decimals.
  const score = Math.min(100, Number((review.score + given).toFixed(9)))
  const expected = scoreByDeductions(dimension, kept)
  const words = WORDS[lang]
  const notes = [
    ...(refuted.length === 0 ? [] : [words.refuted(dimension, refuted.length, given)]),
    ...(Math.abs(score - expected) > SCORE_TOLERANCE
      ? [words.score(dimension, roundHalfUp(fractionOf(score)), expected)]
      : []),
  ]
  return {
    review: { ...review, score, issues: kept },
    notes,
    refuted: refuted.map((each) => ({ dimension, ...each })),
  }
}

/** Points by which a reviewer's sum may be off without a word about it. */
const SCORE_TOLERANCE = 1

interface Words {
  refuted(dimension: Dimension, count: number, points: number): string
  score(dimension: Dimension, score: number, expected: number): string
}

const WORDS: Record<Lang, Words> = {
  en: {
    refuted: (dimension, count, points) =>
      `the ${dimension} review: ${count} ${count === 1 ? 'issue' : 'issues'} left out, for the code is not as it says; ${points} points given back`,
    score: (dimension, score, expected) =>
      `the ${dimension} review scores ${score}, by the points of its issues it would be ${expected}`,
  },
  zh: {
    refuted: (dimension, count, points) => `${dimension} 评审: ${count} 个问题与代码不符，已略去，退还 ${points} 分`,
    score: (dimension, score, expected) => `${dimension} 评审评分 ${score}，按其问题扣分应为 ${expected}`,
  },
}
