import type { AnalysisFile, DuplicatesFile } from '../../contracts/circt-files.js'
import type { GitHubIssue } from '../../contracts/github-issue.js'
import { hasKeyword, ownFunctions, passName, wordsOf } from './keywords.js'

/** What an issue is compared with. */
export interface SearchTerms {
  keywords: readonly string[]
  assertion_message: string | null
  failing_pass: string | null
  dialect: string | null
}

export interface IssueScore {
  score: number
  /** One phrase per part that earned something. */
  reasons: string[]
}

/** Seed 002: title keyword +2 each, body keyword +1 each, assertion (first 30 characters) +3, failing pass +2, dialect label +1.5. */
export function scoreIssue(issue: GitHubIssue, terms: SearchTerms): IssueScore {
  const title = wordsOf(issue.title)
  const body = wordsOf(issue.body ?? '')
  const parts = [
    ...terms.keywords
      .filter((word) => hasKeyword(title, word))
      .map((word) => part(points.title, `"${word}" in the title`)),
    ...terms.keywords
      .filter((word) => hasKeyword(body, word))
      .map((word) => part(points.body, `"${word}" in the body`)),
    ...(hasAssertion(issue, terms.assertion_message) ? [part(points.assertion, 'the same assertion')] : []),
    ...(hasPass(textOf(issue), terms) ? [part(points.pass, `the pass ${terms.failing_pass ?? ''}`)] : []),
    ...(hasLabel(issue, terms.dialect) ? [part(points.label, `the label ${terms.dialect ?? ''}`)] : []),
  ]
  return { score: parts.reduce((sum, { value }) => sum + value, 0), reasons: parts.map(({ reason }) => reason) }
}

const points = { title: 2, body: 1, assertion: 3, pass: 2, label: 1.5 }

function part(value: number, reason: string): { value: number; reason: string } {
  return { value, reason: `+${value} ${reason}` }
}

function hasAssertion(issue: GitHubIssue, assertion: string | null): boolean {
  const start = plain(assertion ?? '')
    .slice(0, 30)
    .trim()
  return start.length >= minQuoteLength && plain(`${issue.title}\n${issue.body ?? ''}`).includes(start)
}

/** Shorter quotations ("false", "it != end") agree by chance. */
const minQuoteLength = 8

function plain(text: string): string {
  return text.replace(/[‘’`]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, ' ').trim().toLowerCase()
}

/**
 * A pass goes by several names: its class (`CanonicalizerPass`), its flag (`--canonicalize`), and a short form without the dialect it starts
 * from (`LowerFIRRTLToHW` is `LowerToHW` to everybody). Each counts when it stands there as whole words.
 */
function hasPass(words: readonly string[], terms: Pick<SearchTerms, 'failing_pass' | 'dialect'>): boolean {
  return passNames(terms).some((name) => hasKeyword(words, name))
}

function passNames({ failing_pass, dialect }: Pick<SearchTerms, 'failing_pass' | 'dialect'>): string[] {
  if (failing_pass === null) return []
  const name = wordsOf(passName(failing_pass))
  const short = name.filter((word, at) => at === 0 || at === name.length - 1 || word !== dialect?.toLowerCase())
  const names = [name, ...(short.length >= 3 ? [short] : [])].map((words) => words.join('-'))
  return names.flatMap((each) => [each, ...verbForms(each)]).filter((each) => each.length >= 3)
}

/** A pass class is a doer (`Canonicalizer`, `Inliner`), its flag a verb (`canonicalize`, `inline`). */
function verbForms(name: string): string[] {
  if (name.endsWith('izer')) return [name.slice(0, -1), `${name.slice(0, -2)}ation`]
  return /[a-z]{3}er$/.test(name) ? [name.slice(0, -1), name.slice(0, -2)] : []
}

function hasLabel(issue: GitHubIssue, dialect: string | null): boolean {
  return dialect !== null && labelsOf(issue).some((label) => label.toLowerCase() === dialect.toLowerCase())
}

/** Label names; GitHub gives them as strings or as objects. */
export function labelsOf(issue: GitHubIssue): string[] {
  return issue.labels.map((label) => (typeof label === 'string' ? label : label.name))
}

/** Seed 002: 8 and more is `review_existing`, 4 to 7.9 `likely_new`, less than 4 `new_issue`. */
export function recommend(topScore: number): Exclude<DuplicatesFile['recommendation']['action'], 'unknown'> {
  if (topScore >= 8) return 'review_existing'
  return topScore >= 4 ? 'likely_new' : 'new_issue'
}

/**
 * What agrees besides words: the failing pass, one of the compiler's own functions, the diagnostic's text; empty when nothing does. A pass that
 * runs on every dialect (the canonicalizer) is in dozens of unrelated issues: it counts only when the dialect agrees as well, and when no function
 * of the compiler's own is known, which would tell one bug in such a pass from another.
 */
export function corroborations(issue: GitHubIssue, analysis: CorroborationSource): string[] {
  const words = textOf(issue)
  const functions = ownFunctions(analysis).filter((name) => wordsOf(name).length > 1 && !isSamePass(name, analysis))
  const isOwnPass =
    !isGenericPass(analysis.failing_pass) || (functions.length === 0 && hasDialect(issue, analysis.dialect))
  return [
    ...(isOwnPass && hasPass(words, analysis) ? ['failing pass'] : []),
    ...(functions.some((name) => hasKeyword(words, name)) ? ['own function'] : []),
    ...(hasAssertion(issue, analysis.assertion_message) ? ['assertion'] : []),
    ...(hasMessage(issue, analysis.signature?.message ?? '') ? ['diagnostic'] : []),
  ]
}

/** A break between title and body, so that no keyword spans both. */
function textOf(issue: GitHubIssue): string[] {
  return [...wordsOf(issue.title), '\n', ...wordsOf(issue.body ?? '')]
}

function isSamePass(name: string, { failing_pass }: CorroborationSource): boolean {
  return wordsOf(passName(failing_pass ?? '')).join('') === wordsOf(passName(name)).join('')
}

export type CorroborationSource = Pick<
  AnalysisFile,
  'failing_pass' | 'dialect' | 'frames' | 'signature' | 'assertion_message'
>

function isGenericPass(pass: string | null): boolean {
  return genericPasses.has(wordsOf(passName(pass ?? '')).join(''))
}

const genericPasses = new Set('canonicalizer canonicalize cse sccp inliner inline symboldce mem2reg sroa'.split(' '))

function hasDialect(issue: GitHubIssue, dialect: string | null): boolean {
  return dialect !== null && (hasLabel(issue, dialect) || hasKeyword(wordsOf(issue.title), dialect))
}

/** A diagnostic is compared further than an assertion: many begin alike ("failed to legalize operation …"). */
function hasMessage(issue: GitHubIssue, message: string): boolean {
  const start = plain(message).slice(0, 80).trim()
  return start.length >= 20 && plain(`${issue.title}\n${issue.body ?? ''}`).includes(start)
}
