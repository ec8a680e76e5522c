import type { Finding, ReviewReport } from '../../contracts/review-report.js'
import { plainLine, plainText } from '../cli-progress.js'
import { showDistribution } from './review-summary.js'
import { REVIEW_SEVERITIES } from './words.js'

/** The report for reading. Texts of agents cannot become headings, links, images or HTML in it, and code stays in its fence. */
export function formatMarkdown(report: ReviewReport): string {
  const { issues, summary } = report.review_results
  const sections = REVIEW_SEVERITIES.flatMap((severity) => {
    const of = issues.filter((issue) => issue.severity === severity)
    return of.length === 0 ? [] : [`## ${severity} (${of.length})`, ...of.map(findingText)]
  })
  const parts = [
    `# Review ${escapeText(report.task_id)}`,
    escapeText(summary.overall_assessment),
    ...report.missing.map((text) => `**Partial:** ${escapeText(text)}`),
    ...sections,
    ...missingIssues(report),
    ...filteredText(report),
    ...coverageText(report),
  ]
  return `${parts.join('\n\n')}\n`
}

function findingText(finding: Finding): string {
  const { id, relevantFile, suggestionLine, label, rule, source, flags, fingerprint } = finding
  const told = [
    label,
    ...(rule === null ? [] : [rule]),
    `by ${source}`,
    ...flags.map((flag) => flag.replaceAll('_', ' ')),
  ]
  return [
    `### ${escapeText(id)} ${codeSpan(`${relevantFile}:${suggestionLine}`)}`,
    `${told.map(escapeText).join(' · ')} · ${codeSpan(fingerprint)}`,
    escapeText(finding.suggestionContent),
    fence(finding.existingCode, relevantFile),
    flags.includes('advice') ? 'Advice:' : 'Better:',
    fence(finding.improvedCode, relevantFile),
    ...(finding.evidence === null ? [] : [`Verified: ${escapeText(finding.evidence)}`]),
  ].join('\n\n')
}

function missingIssues({ verification_results }: ReviewReport): string[] {
  const missing = verification_results?.quality_assessment.missing_issues ?? []
  if (missing.length === 0) return []
  const lines = missing.map(
    ({ description, evidence, suggested_severity }) =>
      `- ${suggested_severity}: ${escapeText(plainLine(description))} (${escapeText(plainLine(evidence))})`,
  )
  return ['## Possibly missed (named by the verifier, not checked)', lines.join('\n')]
}

function filteredText({ review_results: { counts, filtered } }: ReviewReport): string[] {
  if (filtered.length === 0) return []
  const reasons = Object.entries(counts.filtered).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
  const lines = filtered
    .slice(0, mostFiltered)
    .map(
      ({ relevantFile, suggestionLine, reason, detail }) =>
        `- ${codeSpan(`${relevantFile}:${suggestionLine}`)} ${reason.replaceAll('_', ' ')}: ${escapeText(plainLine(detail))}`,
    )
  const more = filtered.length > mostFiltered ? [`- and ${filtered.length - mostFiltered} more`] : []
  return [
    `## Filtered (${filtered.length} of ${counts.raised} raised)`,
    `${reasons.join(', ')}.`,
    [...lines, ...more].join('\n'),
  ]
}

const mostFiltered = 50

function coverageText({ review_results: { coverage, summary } }: ReviewReport): string[] {
  const { files, lines, parts, left_out, reviewers } = coverage
  const head = `${showDistribution(summary.severity_distribution)}; ${files} files, ${lines} lines, ${parts} parts.`
  const notes = [
    ...reviewers.map(
      ({ name, status, note }) => `- ${escapeText(name)}: ${status}${note === '' ? '' : `, ${escapeText(note)}`}`,
    ),
    ...left_out
      .slice(0, mostFiltered)
      .map(({ path, reason }) => `- not reviewed: ${codeSpan(path)}: ${escapeText(reason)}`),
    ...(left_out.length > mostFiltered ? [`- and ${left_out.length - mostFiltered} more not reviewed`] : []),
  ]
  return ['## What was looked at', head, ...(notes.length === 0 ? [] : [notes.join('\n')])]
}

/** Letters that mean something in Markdown or HTML are escaped, so that text stays text. */
function escapeText(text: string): string {
  return plainText(text)
    .replaceAll(/[\\`*_{}[\]<>#|~!&]/g, String.raw`\$&`)
    .replaceAll(/^(\s*\d*)([-+=.)])/gm, String.raw`$1\$2`)
    .replaceAll(/\b(https?|ftp|mailto|javascript|data):/gi, '$1&#58;')
}

/** A fence longer than any run of backticks inside. */
function fence(code: string, path: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(code) + 1))
  const language = /\.([A-Za-z0-9]{1,10})$/.exec(path)?.[1] ?? ''
  return `${marks}${language}\n${plainText(code).replace(/\n$/, '')}\n${marks}`
}

function codeSpan(text: string): string {
  const marks = '`'.repeat(longestRun(text) + 1)
  return `${marks} ${plainLine(text)} ${marks}`
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}
