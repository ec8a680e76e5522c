import { parseJson } from '../contracts/parse.js'
import { ReviewReport } from '../contracts/review-report.js'
import { ReviewResult } from '../contracts/review-run.js'
import { ResultDocument } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { EXIT } from '../rules/cli-exit-codes.js'
import { plainLine } from '../rules/cli-progress.js'
import { formatArray } from '../rules/review/format-array.js'
import { formatMarkdown } from '../rules/review/format-markdown.js'
import { formatRdjson } from '../rules/review/format-rdjson.js'
import { formatSarif } from '../rules/review/format-sarif.js'
import { reachesSeverity } from '../rules/review/review-summary.js'
import type { ReviewSeverity } from '../rules/review/words.js'
import type { Output } from './command.js'

/** How the person wants the review: `null` is a short list for reading. */
export type ReviewForm = (report: ReviewReport) => unknown

/** The forms of seed 004, 7, by their names. A text is printed as it is, anything else as JSON. */
export const FORMS: Readonly<Record<string, ReviewForm>> = {
  detailed: (report) => report,
  array: formatArray,
  markdown: formatMarkdown,
  sarif: formatSarif,
  rdjson: formatRdjson,
}

export interface OutputOrder {
  store: ArtifactStore
  form: ReviewForm | null
  failOn: ReviewSeverity | null
}

/** Puts the review itself in the place of the run's last lines, and lets `--fail-on` decide the exit. */
export async function withReview(output: Output, { store, form, failOn }: OutputOrder): Promise<Output> {
  const ended = resultIn(output)
  if (ended === null || ended.result.report === null) return output
  const { document, result } = ended
  const report = parseJson(ReviewReport, (await store.get(ended.result.report)).toString('utf8'), 'review')
  const shown = form === null ? report : form(report)
  const fails = failOn !== null && reachesSeverity(report.review_results.summary.severity_distribution, failOn)
  return {
    exit: fails && output.exit === EXIT.good ? EXIT.negative : output.exit,
    json: { ...document, result: { ...result, review: shown } },
    text: form === null ? shortText(report, output.text) : textOf(shown),
  }
}

/** Null when the run failed: then its own words are all there is. */
function resultIn({ json }: Output): { document: ResultDocument; result: ReviewResult } | null {
  const document = ResultDocument.safeParse(json)
  const result = document.success ? ReviewResult.safeParse(document.data.result) : null
  return document.success && result?.success === true ? { document: document.data, result: result.data } : null
}

function textOf(shown: unknown): string {
  return typeof shown === 'string' ? shown.replace(/\n$/, '') : JSON.stringify(shown, null, 2)
}

/** One line per finding, and what was filtered and not looked at. */
function shortText({ review_results, missing }: ReviewReport, ending: string): string {
  const { issues, summary, counts, coverage } = review_results
  const lines = issues.map(
    ({ severity, relevantFile, suggestionLine, label, rule, suggestionContent }) =>
      `${severity.padEnd(8)} ${plainLine(`${relevantFile}:${suggestionLine}`)}  ${label}${rule === null ? '' : ` ${plainLine(rule)}`}: ${plainLine(suggestionContent).slice(0, 200)}`,
  )
  const reasons = Object.entries(counts.filtered).map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`)
  return [
    summary.overall_assessment,
    ...lines,
    ...(reasons.length === 0 ? [] : [`filtered: ${reasons.join(', ')}`]),
    ...missing.map((text) => `missing: ${plainLine(text)}`),
    ...coverage.reviewers.flatMap(({ name, status, note }) =>
      status === 'unavailable' || status === 'failed' ? [`${name} ${status}: ${plainLine(note)}`] : [],
    ),
    ...(coverage.left_out.length === 0 ? [] : [`not reviewed: ${coverage.left_out.length} (see --format detailed)`]),
    ending,
  ].join('\n')
}
