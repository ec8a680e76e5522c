import type { ReviewAnswer, ReviewDraft, ReviewerNote } from '../../contracts/review-answers.js'
import type { ReviewFile, ReviewPart } from '../../contracts/review-part.js'
import { touchedLines } from '../../rules/review/touched-lines.js'
import { type AnalyserReport, analyseTexts } from '../linters/analysers.js'
import { draftFinding } from '../linters/draft-findings.js'
import type { LinterBox } from '../linters/linter-box.js'
import type { RawFinding } from '../linters/raw-finding.js'

export interface AnalysedPart {
  answer: ReviewAnswer
  reviewers: ReviewerNote[]
}

/** The builtin reviewer: every analyser over the texts of a part. Of a diff only findings on lines that the change touched are told. */
export async function reviewWithAnalysers(box: LinterBox, taskId: string, part: ReviewPart): Promise<AnalysedPart> {
  const readable = part.files.filter((file): file is ReadableFile => file.text !== null && file.status !== 'deleted')
  const reports = await analyseTexts(box, readable)
  const issues = readable.flatMap((file) => issuesOf(file, reports))
  const without = part.files.filter(({ text, status }) => text === null && status !== 'deleted').length
  const reviewers = reports.map(({ name, status, note }) => ({ name, status, note }))
  if (without > 0) {
    reviewers.push({ name: 'analysers', status: 'skipped', note: `${without} files whose text is not known` })
  }
  return { answer: { task_id: taskId, issues: issues.map(numbered) }, reviewers }
}

export interface ReadableFile extends ReviewFile {
  text: string
}

function numbered(issue: ReviewDraft, index: number): ReviewDraft {
  return { ...issue, id: `ISSUE-${String(index + 1).padStart(3, '0')}` }
}

function issuesOf(file: ReadableFile, reports: readonly AnalyserReport[]): ReviewDraft[] {
  const touched = touchedLines(file)
  const lines = file.text.split('\n')
  return reports.flatMap(({ name, findings }) =>
    findings
      .filter(({ path }) => path === file.path)
      .flatMap((finding) => {
        const line = touched.within(finding.line, Math.min(finding.endLine, finding.line + nearLines))
        const issue = line === null ? null : draftFinding({ ...finding, line: startOf(finding, line) }, name, lines)
        return issue === null ? [] : [issue]
      }),
  )
}

/** A finding that goes on for long is not about every line of it. */
const nearLines = 4

/** Quoted from its own start where that is near. */
function startOf({ line, secret }: RawFinding, touched: number): number {
  return secret === undefined && touched - line > nearLines ? touched : line
}
