import type { AcceptanceResult } from '../../src/contracts/phase-answers.js'

/** A review that approves. */
export function someReview(overrides: Partial<AcceptanceResult> = {}): AcceptanceResult {
  return {
    codeQuality: { score: 8, issues: [], suggestions: [] },
    bestPractices: { score: 7, issues: [] },
    security: { score: 9, issues: [] },
    documentation: { score: 8, issues: [] },
    overallScore: 8,
    approved: true,
    blockers: [],
    recommendations: ['Add JSDoc comments for public methods'],
    ...overrides,
  }
}
