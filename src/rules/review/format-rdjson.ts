import type { Finding, ReviewReport } from '../../contracts/review-report.js'
import { fixOf } from './finding-fix.js'
import type { ReviewSeverity } from './words.js'

/** Reviewdog's diagnostic format, as far as it is written here. */
export interface Rdjson {
  source: { name: string }
  severity: RdSeverity
  diagnostics: RdDiagnostic[]
}

type RdSeverity = 'ERROR' | 'WARNING' | 'INFO'

interface RdDiagnostic {
  message: string
  location: { path: string; range?: { start: { line: number }; end: { line: number } } }
  severity: RdSeverity
  source?: { name: string }
  code?: { value: string }
  suggestions?: { range: { start: { line: number }; end: { line: number } }; text: string }[]
  /** JSON: the finding, or in the last diagnostic the report without its findings. */
  original_output: string
}

const SEVERITIES = {
  Critical: 'ERROR',
  High: 'ERROR',
  Medium: 'WARNING',
  Low: 'INFO',
} as const satisfies Record<ReviewSeverity, RdSeverity>

/**
 * One diagnostic per finding, and a last one without a line that tells how the review went. reviewdog refuses fields it does not know, so all that the
 * format has no field for is JSON in `original_output`: nothing is lost.
 */
export function formatRdjson(report: ReviewReport): Rdjson {
  const { issues, summary } = report.review_results
  const rest = { ...report, review_results: { ...report.review_results, issues: [] } }
  const worst = issues.map(({ severity }) => SEVERITIES[severity])
  return {
    source: { name: 'gauntlet' },
    severity: (['ERROR', 'WARNING'] as const).find((severity) => worst.includes(severity)) ?? 'INFO',
    diagnostics: [
      ...issues.map(diagnosticOf),
      {
        message: summary.overall_assessment,
        location: { path: '.' },
        severity: 'INFO',
        original_output: JSON.stringify(rest),
      },
    ],
  }
}

function diagnosticOf(finding: Finding): RdDiagnostic {
  const { relevantFile, suggestionLine, severity, suggestionContent, rule, label, source } = finding
  const fix = fixOf(finding)
  return {
    message: suggestionContent,
    location: { path: relevantFile, range: { start: { line: suggestionLine }, end: { line: suggestionLine } } },
    severity: SEVERITIES[severity],
    source: { name: source },
    code: { value: rule ?? label },
    ...(fix === null
      ? {}
      : { suggestions: [{ range: { start: { line: fix.first }, end: { line: fix.last } }, text: fix.text }] }),
    original_output: JSON.stringify(finding),
  }
}
