import type { ReviewAnswer, ReviewDraft, ReviewerNote } from '../../contracts/review-answers.js'
import type { ReviewPart } from '../../contracts/review-part.js'
import { isCode } from '../../rules/refine/is-code.js'
import { issueId } from '../../rules/review/issue-id.js'
import { type TouchedLines, touchedLines } from '../../rules/review/touched-lines.js'
import { REVIEW_SEVERITIES } from '../../rules/review/words.js'
import { type AnalyserReport, ANALYSERS } from '../linters/analysers.js'
import { draftFinding } from '../linters/draft-findings.js'
import type { LinterBox } from '../linters/linter-box.js'
import type { RawFinding } from '../linters/raw-finding.js'
import { type AnalyserHit, analyseVersions, type ReadableFile } from './analyse-versions.js'

export interface AnalysedPart {
  answer: ReviewAnswer
  reviewers: ReviewerNote[]
  /** Why finding nothing would say nothing, a sentence: no analyser has read any of the code. Null when that is not so. */
  blind: string | null
}

/**
 * The builtin reviewer: every analyser over the texts of a part. Of a diff only findings on lines that the change touched are told, and those that came
 * with it a few lines away, as when a check was taken out above.
 */
export async function reviewWithAnalysers(box: LinterBox, taskId: string, part: ReviewPart): Promise<AnalysedPart> {
  const readable = part.files.filter((file): file is ReadableFile => file.text !== null && file.status !== 'deleted')
  const { reports, hits } = await analyseVersions(box, readable)
  const all = readable.flatMap((file) => issuesOf(file, hits.get(file.path) ?? []))
  const issues = worstFirst(all).slice(0, mostIssues)
  const without = part.files.filter(({ text, status }) => text === null && status !== 'deleted').length
  const reviewers: ReviewerNote[] = reports.map(({ name, status, note }) => ({ name, status, note }))
  const unread = unreadCode(readable, reports)
  const blind = issues.length === 0 && unread.isAll ? unread.words : null
  if (unread.words !== null) reviewers.push({ name: 'analysers', status: 'unavailable', note: unread.words })
  if (without > 0) {
    reviewers.push({ name: 'analysers', status: 'skipped', note: `${without} files whose text is not known` })
  }
  if (all.length > issues.length) {
    reviewers.push({
      name: 'analysers',
      status: 'failed',
      note: `${all.length - issues.length} further findings left out`,
    })
  }
  return {
    answer: { task_id: taskId, issues: issues.map((issue, index) => ({ ...issue, id: issueId(index + 1) })) },
    reviewers,
    blind,
  }
}

/** Every text is searched for secrets; that is no review of code. */
function unreadCode(files: readonly ReadableFile[], reports: readonly AnalyserReport[]) {
  const readers = reports.filter(({ name, status }) => name !== 'secretlint' && status === 'passed')
  const isRead = ({ path }: ReadableFile) =>
    readers.some(({ name, failures }) => covers(name, path) && !failures.some((failure) => failure.path === path))
  const code = files.filter(({ path }) => isCode(path))
  const unread = code.filter((file) => !isRead(file))
  const [first] = unread
  if (first === undefined) return { words: null, isAll: false }
  const named = unread.length === 1 ? first.path : `${first.path} and ${unread.length - 1} more`
  const failure = reports.flatMap(({ failures }) => failures).find(({ path }) => path === first.path)
  const why = failure?.reason ?? 'none here reads such files'
  const words = `no analyser has read ${named} (${why}): name a reviewer with --agent`
  return { words, isAll: unread.length === code.length }
}

function covers(analyser: string, path: string): boolean {
  return ANALYSERS.find(({ name }) => name === analyser)?.covers(path) === true
}

/** An answer has no more: see `ReviewAnswer`. */
const mostIssues = 2_000

/** Their own order where that is all of them. */
function worstFirst(issues: readonly ReviewDraft[]): readonly ReviewDraft[] {
  if (issues.length <= mostIssues) return issues
  const rank = ({ severity }: ReviewDraft) => REVIEW_SEVERITIES.findIndex((each) => each === severity)
  return issues.toSorted((a, b) => rank(a) - rank(b))
}

function issuesOf(file: ReadableFile, hits: readonly AnalyserHit[]): ReviewDraft[] {
  const touched = touchedLines(file)
  const lines = file.text.split('\n')
  return hits.flatMap(({ analyser, finding, wasThere }) => {
    const placed =
      onTouched(touched, finding) ?? (wasThere || file.before === null ? null : nearTouched(touched, finding))
    const issue = placed === null ? null : draftFinding(placed, analyser, lines)
    return issue === null ? [] : [issue]
  })
}

/** A finding that goes on for long is not about every line of it. */
const mostLines = 4

/** The finding where it is quoted; null when the change touched nothing of it. */
function onTouched(touched: TouchedLines, finding: RawFinding): RawFinding | null {
  const { line, endLine, secret } = finding
  const first = touched.within(line, Math.min(endLine, line + mostLines))
  if (first === null) return null
  return secret === undefined && first - line > mostLines ? { ...finding, line: first } : finding
}

/** Lines between a change and what came of it. */
const nearLines = 10

/** A finding that came with the change, quoted together with the nearest line that was touched; null when that is far. */
function nearTouched(touched: TouchedLines, finding: RawFinding): RawFinding | null {
  const { line, secret } = finding
  if (secret !== undefined) return null
  for (let away = 1; away <= nearLines; away += 1) {
    const above = line > away ? touched.within(line - away, line - away) : null
    if (above !== null) return { ...finding, line: above, endLine: line }
    const below = touched.within(line + away, line + away)
    if (below !== null) return { ...finding, endLine: below }
  }
  return null
}
