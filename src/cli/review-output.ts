import { parseJson } from '../contracts/parse.js'
import { ReviewReport } from '../contracts/review-report.js'
import { ReviewResult } from '../contracts/review-run.js'
import { ResultDocument } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { EXIT } from '../rules/cli-exit-codes.js'
import { formatArray } from '../rules/review/format-array.js'
import { formatMarkdown } from '../rules/review/format-markdown.js'
import { formatRdjson } from '../rules/review/format-rdjson.js'
import { formatSarif } from '../rules/review/format-sarif.js'
import { reachesSeverity } from '../rules/review/review-summary.js'
import { shortList } from '../rules/review/short-list.js'
import type { ReviewSeverity } from '../rules/review/words.js'
import type { Output } from './command.js'

export type ReviewForm = (report: ReviewReport) => unknown

/** The forms of seed 004, 7, by their names. A text is printed as it is, anything else as JSON. */
export const FORMS: Readonly<Record<string, ReviewForm>> = {
  detailed: (report) => report,
  array: formatArray,
  markdown: formatMarkdown,
  sarif: formatSarif,
  rdjson: formatRdjson,
}

export interface ReportWanted {
  /** Null is a short list for reading. */
  form: ReviewForm | null
  failOn: ReviewSeverity | null
  /** Of the terminal. */
  width: number
}

/** Puts the review itself before the run's last lines, or in their place, and lets `--fail-on` decide the exit; of another pipeline's run nothing changes. */
export async function withReview(output: Output, wanted: ReportWanted & { store: ArtifactStore }): Promise<Output> {
  const { store, form, failOn, width } = wanted
  const ended = resultIn(output)
  if (ended === null || ended.result.report === null) return output
  const { document, result } = ended
  const report = parseJson(ReviewReport, (await store.get(ended.result.report)).toString('utf8'), 'review')
  const shown = form === null ? report : form(report)
  const fails = failOn !== null && reachesSeverity(report.review_results.summary.severity_distribution, failOn)
  return {
    exit: fails && output.exit === EXIT.good ? EXIT.negative : output.exit,
    json: { ...document, result: { ...result, review: shown } },
    text: form === null ? [...shortList(report, width), output.text].join('\n') : textOf(shown),
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
