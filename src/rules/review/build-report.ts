import type { ReviewerNote } from '../../contracts/review-answers.js'
import type { SettledPart } from '../../contracts/review-part.js'
import type { ReviewCoverage, ReviewReport, ReviewRetry } from '../../contracts/review-report.js'
import { mergeParts } from './merge-parts.js'
import { countIssues, reviewSummary } from './review-summary.js'

export interface ReportFacts {
  task_id: string
  coverage: ReviewCoverage
  parts: readonly SettledPart[]
  /** Who reviewed, where no analysers told of themselves. */
  reviewer: string
  /** What the run itself has to tell. */
  retries: readonly ReviewRetry[]
}

/** Seed 004, 7.1: the detailed report, everything recomputed from what is left after filtering. */
export function buildReport({ task_id, coverage, parts, reviewer, retries }: ReportFacts): ReviewReport {
  const { findings, filtered, verification } = mergeParts(parts)
  const summary = reviewSummary(findings)
  const counts = countIssues(findings, filtered)
  const missing = parts.flatMap(({ id, missing: why }) =>
    why === null ? [] : [parts.length === 1 ? why : `${id}: ${why}`],
  )
  const isPartial = missing.length > 0
  const filteredWords =
    filtered.length === 0 ? '' : ` ${filtered.length} of ${counts.raised} issues raised were filtered.`
  return {
    task_id,
    summary: `${isPartial ? 'Partial review. ' : ''}${summary.overall_assessment}${filteredWords}`,
    status: isPartial ? 'partial' : 'complete',
    missing,
    review_results: {
      issues: findings,
      summary,
      counts,
      filtered,
      coverage: { ...coverage, reviewers: reviewersOf(parts, reviewer) },
      retries: [...parts.flatMap((part) => part.retries), ...retries],
    },
    verification_results: verification,
    final_recommendations: recommendations(summary.priority_recommendations, missing, verification),
  }
}

/** One line per analyser over all parts; the worst word wins, and notes of several parts are counted. */
function reviewersOf(parts: readonly SettledPart[], reviewer: string): ReviewerNote[] {
  const byName = new Map<string, ReviewerNote[]>()
  for (const { grounded } of parts) {
    for (const note of grounded?.reviewers ?? []) byName.set(note.name, [...(byName.get(note.name) ?? []), note])
  }
  if (byName.size === 0) {
    const done = parts.filter(({ grounded }) => grounded !== null).length
    return [{ name: reviewer, status: done === 0 ? 'failed' : 'passed', note: `${done} of ${parts.length} parts` }]
  }
  return [...byName].map(([name, notes]) => {
    const asked = notes.filter(({ status }) => status !== 'skipped')
    const told = asked.length === 0 ? notes : asked
    const status = WORST.find((word) => told.some((note) => note.status === word)) ?? 'skipped'
    const texts = [...new Set(told.filter((note) => note.status === status).map(({ note }) => note))]
    return { name, status, note: texts.slice(0, 3).join('; ') }
  })
}

const WORST = ['failed', 'unavailable', 'passed', 'skipped'] as const

function recommendations(
  first: readonly string[],
  missing: readonly string[],
  verification: ReviewReport['verification_results'],
): string[] {
  const missed = verification?.quality_assessment.missing_issues.length ?? 0
  return [
    ...first,
    ...(missing.length === 0 ? [] : ['Have it reviewed again: the report is partial.']),
    ...(missed === 0 ? [] : [`Look at the ${missed} places that the verifier names as possibly missed.`]),
  ]
}
