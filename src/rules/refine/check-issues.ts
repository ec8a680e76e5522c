import type { Lang, ReviewIssue } from '../../contracts/aggregate.js'
import { findQuotation } from '../review/find-quotation.js'
import { indexQuotations, type QuotationIndex } from '../review/quotation-index.js'

/** A file of the round's commit: its text, that there is none, or that it is one nobody can read (too large, no text). */
export type CodeOf = (path: string) => { text: string } | 'absent' | 'unread'

export interface CheckedIssues {
  /** With the line corrected where the quoted code stands elsewhere in its file. */
  kept: ReviewIssue[]
  /** What they say of the code is not so: why, one line each. */
  refuted: { issue: ReviewIssue; why: string }[]
}

/**
 * Holds what reviewers say against the code of the round: the file is there, the line is in it, and code that is quoted
 * (`code_snippet`) is really there, white space aside. An issue of which that is not so is left out, for it is about other code.
 */
export function checkIssues(issues: readonly ReviewIssue[], codeOf: CodeOf, lang: Lang): CheckedIssues {
  const files = new Map<string, File | 'absent' | 'unread'>()
  const checked: CheckedIssues = { kept: [], refuted: [] }
  for (const issue of issues) {
    const path = plainPath(issue.file)
    if (!files.has(path)) files.set(path, openFile(codeOf(path)))
    const outcome = checkIssue({ ...issue, file: path }, files.get(path) ?? 'absent')
    if (typeof outcome === 'string') checked.refuted.push({ issue, why: WHY[lang][outcome] })
    else checked.kept.push(outcome)
  }
  return checked
}

interface File {
  text: string
  lineCount: number
  /** Made when the first quotation comes. */
  index: QuotationIndex | null
}

function openFile(code: ReturnType<CodeOf>): File | 'absent' | 'unread' {
  return typeof code === 'string' ? code : { ...code, lineCount: code.text.split('\n').length, index: null }
}

type Refusal = 'no_file' | 'no_line' | 'no_snippet'

const WHY: Record<Lang, Record<Refusal, string>> = {
  en: {
    no_file: 'there is no such file in the code of this round',
    no_line: 'the file has no such line',
    no_snippet: 'the quoted code is not in the file',
  },
  zh: { no_file: '本轮代码中没有该文件', no_line: '文件没有这一行', no_snippet: '文件中没有所引用的代码' },
}

function checkIssue(issue: ReviewIssue, file: File | 'absent' | 'unread'): ReviewIssue | Refusal {
  if (file === 'absent') return 'no_file'
  if (file === 'unread') return issue
  const snippet = issue['code_snippet']
  if (typeof snippet === 'string' && snippet.trim() !== '') return checkSnippet(issue, file, snippet)
  return (issue.line ?? 0) > file.lineCount ? 'no_line' : issue
}

function checkSnippet(issue: ReviewIssue, file: File, snippet: string): ReviewIssue | Refusal {
  file.index ??= indexQuotations({ text: file.text, hunks: [] })
  const places = findQuotation(file.index, snippet)?.places ?? []
  return places.length === 0 ? 'no_snippet' : { ...issue, line: nearestLine(places, issue.line ?? null) }
}

/** A line within the quotation stands; else the first line of the nearest place. */
function nearestLine(places: readonly { first: number; last: number }[], line: number | null): number {
  if (line === null) return places[0]?.first ?? 1
  const distance = ({ first, last }: { first: number; last: number }) => Math.max(first - line, line - last, 0)
  const nearest = places.reduce((best, place) => (distance(place) < distance(best) ? place : best))
  return distance(nearest) === 0 ? line : nearest.first
}

/** './src/a.py' and 'src/a.py' are one file. */
function plainPath(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}
