import type { Finding, ReviewReport } from '../../contracts/review-report.js'
import { fitWidth, plainLine } from '../cli-progress.js'
import { foldLine } from '../fold-line.js'
import { severityRank } from './words.js'

/** The report for a terminal: the worst first, each with its place, the quoted line and what is wrong with it; then what is not in it, and why. */
export function shortList({ review_results, verification_results, missing }: ReviewReport, width: number): string[] {
  const { issues, counts, coverage } = review_results
  const worstFirst = issues.toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
  const reasons = Object.entries(counts.filtered).map(([reason, count]) => `${count} ${wordsOf(reason)}`)
  const missed = verification_results?.quality_assessment.missing_issues.length ?? 0
  const notes = [
    ...(reasons.length === 0 ? [] : [`filtered: ${reasons.join(', ')}`]),
    ...(missed === 0 ? [] : [`named by the verifier, not checked: ${missed} (--format markdown)`]),
    ...missing.map((text) => `missing: ${text}`),
    ...coverage.reviewers.flatMap(({ name, status, note }) =>
      status === 'unavailable' || status === 'failed' ? [`${name} ${status}: ${note}`] : [],
    ),
    ...(coverage.left_out.length === 0 ? [] : [`not reviewed: ${coverage.left_out.length} (--format markdown)`]),
  ]
  return [
    ...worstFirst.flatMap((finding) => [...findingLines(finding, width), '']),
    ...notes.flatMap((note) => foldLine(plainLine(note), width)),
  ]
}

function findingLines(finding: Finding, width: number): string[] {
  const { severity, relevantFile, suggestionLine, label, rule, flags, existingCode, suggestionContent } = finding
  const doubts = flags.filter((flag) => DOUBTS.has(flag)).map(wordsOf)
  const about = [label, ...(rule === null ? [] : [rule]), ...doubts].map(plainLine).join(', ')
  const place = `${severity.padEnd(8)}  ${plainLine(`${relevantFile}:${suggestionLine}`)}`
  const head = `${place}  ${about}`
  const [first = '', ...more] = existingCode.split('\n').filter((line) => line.trim() !== '')
  return [
    ...(head.length <= width ? [head] : [place, ...paragraph(about, width)]),
    fitWidth(`${INDENT}> ${plainLine(first)}${more.length === 0 ? '' : ' …'}`, width),
    ...paragraph(suggestionContent.slice(0, MOST_TEXT), width),
  ]
}

const INDENT = '  '
const MOST_TEXT = 1_000

/** What makes a finding less than sure. */
const DOUBTS: ReadonlySet<string> = new Set(['partially_correct', 'unverified', 'severity_assumed'])

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ')
}

function paragraph(text: string, width: number): string[] {
  return foldLine(plainLine(text), width - INDENT.length).map((line) => INDENT + line.trimStart())
}
