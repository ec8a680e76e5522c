import type { ReviewExtract } from '../contracts/refine-answers.js'

/** What history keeps of a review: the verdict is made of the whole answer, in an activity. */
export function extractReview(answer: {
  passed: boolean
  score: number
  issues: readonly unknown[]
  recommendations: readonly string[]
}): ReviewExtract {
  const { passed, score, issues, recommendations } = answer
  return {
    passed,
    score,
    issues: issues.length,
    limits: recommendations
      .filter(isLimit)
      .map((line) => line.slice(0, 300))
      .slice(0, 10),
  }
}

/** How the builtin reviewers say what they could not look at. */
export const LIMIT_PREFIX = 'not looked at: '

function isLimit(line: string): boolean {
  return line.startsWith(LIMIT_PREFIX)
}
