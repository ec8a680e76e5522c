import type { ReviewArray, ReviewReport } from '../../contracts/review-report.js'

/** Seed 004, 7.1: the simple array; for reading, it does not carry everything. */
export function formatArray({ review_results }: ReviewReport): ReviewArray {
  return review_results.issues.map(
    ({ relevantFile, existingCode, suggestionContent, improvedCode, label, suggestionLine }) => ({
      relevantFile,
      existingCode,
      suggestionContent,
      improvedCode,
      label,
      suggestionLine,
    }),
  )
}
