import type { FilteredIssue, Finding, ReviewReport } from '../../src/contracts/review-report.js'
import { countIssues, reviewSummary } from '../../src/rules/review/review-summary.js'
import { finding } from './review-finding.js'

export const filteredIssue = (said: Partial<FilteredIssue> = {}): FilteredIssue => ({
  id: 'ISSUE-007',
  relevantFile: 'src/b.js',
  suggestionLine: '12',
  existingCode: 'x',
  label: 'Quality',
  severity: 'Low',
  suggestionContent: 'rename x',
  reason: 'quotation_not_found',
  detail: 'existingCode is not in the file',
  fingerprint: null,
  ...said,
})

export function report(
  issues: Finding[] = [finding()],
  filtered: FilteredIssue[] = [],
  said: Partial<ReviewReport> = {},
): ReviewReport {
  const summary = reviewSummary(issues)
  return {
    task_id: 'task_review:1',
    summary: summary.overall_assessment,
    status: 'complete',
    missing: [],
    review_results: {
      issues,
      summary,
      counts: countIssues(issues, filtered),
      filtered,
      coverage: {
        review_type: 'diff',
        files: 1,
        lines: 10,
        parts: 1,
        left_out: [{ path: 'a.png', reason: 'binary' }],
        reviewers: [{ name: 'ruff', status: 'unavailable', note: 'not installed' }],
      },
      retries: [],
    },
    verification_results: null,
    final_recommendations: summary.priority_recommendations,
    ...said,
  }
}
