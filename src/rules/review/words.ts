/** The word lists of seed 004. */
export const REVIEW_TYPES = ['diff', 'file', 'snippet'] as const

export const REVIEW_LABELS = ['Quality', 'Security', 'Performance', 'Functionality'] as const
export type ReviewLabel = (typeof REVIEW_LABELS)[number]

/** Worst first. */
export const REVIEW_SEVERITIES = ['Critical', 'High', 'Medium', 'Low'] as const
export type ReviewSeverity = (typeof REVIEW_SEVERITIES)[number]

export const ACCURACY = ['CORRECT', 'INCORRECT', 'PARTIALLY_CORRECT'] as const
export const COMPLIANCE = ['COMPLIANT', 'VIOLATED'] as const

export const QUALITY_LEVELS = ['EXCELLENT', 'GOOD', 'ACCEPTABLE', 'POOR'] as const
export type QualityLevel = (typeof QUALITY_LEVELS)[number]

/** Seed 004, 3.3: from here on a review passes, below it is done again. */
export const PASSING_QUALITY = 50

/** 0 for the worst. */
export function severityRank(severity: ReviewSeverity): number {
  return REVIEW_SEVERITIES.indexOf(severity)
}

export function qualityLevel(score: number): QualityLevel {
  if (score >= 85) return 'EXCELLENT'
  if (score >= 70) return 'GOOD'
  return score >= PASSING_QUALITY ? 'ACCEPTABLE' : 'POOR'
}

/** What may be told of a finding besides the seed's fields. */
export const FINDING_FLAGS = [
  /** `improvedCode` is advice in code form, not a fix. */
  'advice',
  /** `suggestionLine` pointed elsewhere; it now points to the quotation. */
  'line_corrected',
  /** The reviewer gave no severity; it is taken as Medium. */
  'severity_assumed',
  'partially_correct',
  /** No verification came for it. */
  'unverified',
  'test_file',
  'generated_file',
] as const
export type FindingFlag = (typeof FINDING_FLAGS)[number]

/** Why an issue is not in the report. */
export const FILTER_REASONS = [
  'missing_field',
  'unknown_label',
  'unknown_severity',
  'file_out_of_scope',
  'quotation_not_found',
  'quotation_not_in_change',
  'no_improvement',
  'duplicate',
  'suppressed',
  'incorrect',
  'rule_violated',
] as const
export type FilterReason = (typeof FILTER_REASONS)[number]
