import type { Dimension, ReviewIssue } from '../../contracts/aggregate.js'
import { Failure } from '../../contracts/failures.js'
import { countIssues } from '../../rules/aggregate-issues.js'
import { scoreByDeductions } from '../../rules/refine/deductions.js'
import { roundKind } from '../../rules/refine/finding-dimension.js'
import { isCode } from '../../rules/refine/is-code.js'
import { type Analyser, type AnalyserReport, ANALYSERS, analyseTexts } from '../linters/analysers.js'
import type { LinterBox } from '../linters/linter-box.js'
import type { AnalysedText, RawFinding } from '../linters/raw-finding.js'
import { runChild } from '../linters/run-child.js'

/** What all three reviewers answer; see `contracts/refine-answers.ts`. */
export interface AnalysedReview {
  passed: boolean
  score: number
  issues: ReviewIssue[]
  summary: { critical: number; high: number; medium: number; low: number }
  recommendations: string[]
}

/**
 * One of the three reviewers, without a model: the analysers over whole files, those of their findings that belong to the dimension, and the score
 * by the table of deductions. What no analyser looked at is said among the recommendations, each line beginning with `limitPrefix`. Throws
 * `Failure('Agent.Rejected')` when there is code, and no analyser reads any of it.
 */
export async function reviewWithAnalysers(
  box: LinterBox,
  dimension: Dimension,
  { texts, limitPrefix }: { texts: readonly AnalysedText[]; limitPrefix: string },
): Promise<AnalysedReview> {
  const wanted = ANALYSERS.filter(({ name }) => (WHO[dimension] as readonly string[]).includes(name))
  const reports = [...(await analyseTexts(box, texts, wanted)), ...(await metricsOf(box, dimension, texts))]
  const unread = unreadCode(wanted, reports, texts)
  const lines = new Map(texts.map(({ path, text }) => [path, text.split('\n')]))
  const found = reports
    .flatMap(({ findings }) => findings)
    .filter(({ rule }) => roundKind(rule).dimension === dimension)
  const issues = withoutRepetitions(found).map((finding) => issueOf(finding, lines.get(finding.path) ?? []))
  const score = scoreByDeductions(dimension, issues)
  return {
    passed: score >= PASSING[dimension] && !issues.some(({ severity }) => severity === 'Critical'),
    score,
    issues,
    summary: countIssues(issues),
    recommendations: [...unread, ...limitsOf(reports), ...ALWAYS[dimension]].map((line) => `${limitPrefix}${line}`),
  }
}

/**
 * Code that no analyser has read, as one line. Throws `Failure('Agent.Rejected')` when that is all of it: a review of nothing would score 100.
 */
function unreadCode(
  analysers: readonly Analyser[],
  reports: readonly AnalyserReport[],
  texts: readonly AnalysedText[],
): string[] {
  const code = texts.map(({ path }) => path).filter(isCode)
  // Every text is searched for secrets; that is no review.
  const readers = analysers.filter(({ name }) => name !== 'secretlint')
  const passed = new Set(reports.filter(({ status }) => status === 'passed').map(({ name }) => name))
  const failed = new Set(reports.flatMap(({ failures }) => failures.map(({ path }) => path)))
  const isRead = (path: string) =>
    !failed.has(path) && readers.some((analyser) => passed.has(analyser.name) && analyser.covers(path))
  const unread = code.filter((path) => !isRead(path))
  const [first] = unread
  if (first === undefined) return []
  const named = `${unread.slice(0, 3).join(', ')}${unread.length > 3 ? ', …' : ''}`
  if (unread.length < code.length) return [`code no analyser reads: ${named}`.slice(0, 280)]
  throw new Failure(
    'Agent.Rejected',
    `no analyser reads the code under review (${named}): name a reviewer with --agent`,
  )
}

/** Whose findings may belong to the dimension. */
const WHO = {
  security: ['eslint', 'ast-grep', 'secretlint', 'ruff', 'bandit'],
  quality: ['eslint', 'ast-grep', 'ruff'],
  performance: ['ast-grep', 'ruff'],
} as const satisfies Record<Dimension, readonly string[]>

/** The seed's; a reviewer's own word never decides. */
const PASSING = { security: 85, quality: 80, performance: 80 } as const satisfies Record<Dimension, number>

/** What programs without understanding cannot judge. */
const ALWAYS = {
  security: ['access control, and what data means'],
  quality: ['whether it does what was asked for, names, design, tests'],
  performance: ['algorithms and sizes of data: nothing was measured'],
} as const satisfies Record<Dimension, readonly string[]>

const SCRIPT = /\.[cm]?[jt]sx?$/

async function metricsOf(
  box: LinterBox,
  dimension: Dimension,
  all: readonly AnalysedText[],
): Promise<AnalyserReport[]> {
  if (dimension === 'security') return []
  const texts = all.filter(({ path }) => SCRIPT.test(path))
  const others = all.length - texts.length
  const note =
    others === 0
      ? ''
      : `complexity of ${others} ${others === 1 ? 'file' : 'files'} that are no JavaScript or TypeScript`
  const report: AnalyserReport = {
    name: 'metrics',
    status: note === '' ? 'passed' : 'unavailable',
    note,
    findings: [],
    failures: [],
  }
  const outcomes = texts.length === 0 ? [] : await runChild(box, 'metrics', texts)
  for (const [index, outcome] of outcomes.entries()) {
    if ('findings' in outcome) report.findings.push(...outcome.findings)
    else report.failures.push({ path: texts[index]?.path ?? '', reason: outcome.failure })
  }
  return [report]
}

/** Several analysers see one thing on one line: it counts once, under the worst of their words. */
function withoutRepetitions(findings: readonly RawFinding[]): RawFinding[] {
  const places = new Map<string, RawFinding>()
  for (const finding of findings) {
    const key = JSON.stringify([finding.path, finding.line, roundKind(finding.rule).type])
    const known = places.get(key)
    if (known === undefined || rank(severityOf(finding)) < rank(severityOf(known))) places.set(key, finding)
  }
  return [...places.values()].slice(0, MOST_ISSUES)
}

const MOST_ISSUES = 2_000

function severityOf({ rule, severity }: RawFinding) {
  return severity ?? roundKind(rule).severity
}

function rank(severity: string): number {
  return ['Critical', 'High', 'Medium', 'Low'].indexOf(severity)
}

function issueOf(finding: RawFinding, lines: readonly string[]): ReviewIssue {
  const { path, rule, line, message } = finding
  const { type, why, instead } = roundKind(rule)
  const said = message.trim().replaceAll(/\s+/g, ' ').slice(0, 600)
  const isInside = line >= 1 && line <= lines.length
  return {
    severity: severityOf(finding),
    type,
    file: path,
    line: isInside ? line : null,
    description: [said.replace(/[.]?$/, '.'), why].filter((part) => part !== '.').join(' '),
    suggestion: `${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`,
    rule,
    ...figuresOf(rule, said),
  }
}

/** What the metrics analyser measured, from its own words: "Function 'f' has a complexity of 14." */
function figuresOf(rule: string, message: string): Record<string, unknown> {
  const figure = FIGURES[rule]
  const [, value] = figure === undefined ? [] : (/(?:complexity of |\()(\d+)/.exec(message) ?? [])
  if (figure === undefined || value === undefined) return {}
  const [, name] = /'([^']{1,200})'/.exec(message) ?? []
  return { ...(name === undefined ? {} : { function: name }), metrics: { [figure]: Number(value) } }
}

const FIGURES: Readonly<Record<string, string>> = {
  complexity: 'cyclomatic_complexity',
  'max-lines-per-function': 'lines_of_code',
  'max-depth': 'nesting_depth',
}

function limitsOf(reports: readonly AnalyserReport[]): string[] {
  return reports.flatMap(({ name, status, note, failures }) => {
    if (status === 'unavailable') return [name === 'metrics' ? note : `what ${name} would find (${note})`]
    const [first] = failures
    if (first === undefined) return []
    return [
      `${failures.length} ${failures.length === 1 ? 'file' : 'files'} by ${name}: ${first.path} (${first.reason})`.slice(
        0,
        280,
      ),
    ]
  })
}
