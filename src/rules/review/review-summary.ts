import type {
  FilteredIssue,
  Finding,
  ReviewCounts,
  ReviewSummary,
  SeverityDistribution,
} from '../../contracts/review-report.js'
import { REVIEW_SEVERITIES, type ReviewSeverity, severityRank } from './words.js'

/** Made from what is left after filtering, never taken from an agent. */
export function reviewSummary(findings: readonly Finding[]): ReviewSummary {
  const severity_distribution = distributionOf(findings)
  return {
    total_issues: findings.length,
    severity_distribution,
    overall_assessment: assess(severity_distribution),
    priority_recommendations: findings
      .filter(({ severity }) => severityRank(severity) <= severityRank('High'))
      .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
      .slice(0, mostRecommendations)
      .map(recommendation),
  }
}

const mostRecommendations = 10

export function distributionOf(findings: readonly Pick<Finding, 'severity'>[]): SeverityDistribution {
  const counts: SeverityDistribution = { Critical: 0, High: 0, Medium: 0, Low: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

/** "2 Critical, 1 Low", or "nothing was found". */
export function showDistribution(counts: SeverityDistribution): string {
  const parts = REVIEW_SEVERITIES.filter((severity) => counts[severity] > 0).map(
    (severity) => `${counts[severity]} ${severity}`,
  )
  return parts.length === 0 ? 'nothing was found' : parts.join(', ')
}

/** raised = kept + filtered, exactly. */
export function countIssues(kept: readonly Finding[], filtered: readonly FilteredIssue[]): ReviewCounts {
  const counts: ReviewCounts = { raised: kept.length + filtered.length, kept: kept.length, filtered: {} }
  for (const { reason } of filtered) counts.filtered[reason] = (counts.filtered[reason] ?? 0) + 1
  return counts
}

/** For `--fail-on`: whether something at least as bad was found. */
export function reachesSeverity(counts: SeverityDistribution, least: ReviewSeverity): boolean {
  return REVIEW_SEVERITIES.some((severity) => severityRank(severity) <= severityRank(least) && counts[severity] > 0)
}

function assess(counts: SeverityDistribution): string {
  const worst = REVIEW_SEVERITIES.find((severity) => counts[severity] > 0)
  const words = {
    Critical: 'The change must not go in as it is',
    High: 'The change should be mended before it goes in',
    Medium: 'The change can be bettered',
    Low: 'The change is sound but for details',
  } satisfies Record<ReviewSeverity, string>
  return worst === undefined ? 'Nothing was found.' : `${words[worst]}: ${showDistribution(counts)}.`
}

function recommendation({ severity, relevantFile, suggestionLine, suggestionContent }: Finding): string {
  const sentence = suggestionContent.trim().split(/(?<=[.!?。])\s|\n/)[0] ?? ''
  return `${severity}: ${relevantFile}:${suggestionLine}: ${sentence.slice(0, 300)}`
}
