import type { FilteredIssue, Finding, ReviewReport } from '../../contracts/review-report.js'
import { fixOf } from './finding-fix.js'
import type { ReviewSeverity } from './words.js'

/** SARIF 2.1.0, as far as it is written here. */
export interface SarifLog {
  $schema: string
  version: '2.1.0'
  runs: [SarifRun]
}

interface SarifRun {
  tool: { driver: { name: string; rules: SarifRule[] } }
  automationDetails: { id: string }
  columnKind: 'utf16CodeUnits'
  invocations: [{ executionSuccessful: boolean; toolExecutionNotifications: SarifNotification[] }]
  results: SarifResult[]
  /** The report without its findings, which stand in the results. */
  properties: { gauntlet: ReviewReport }
}

interface SarifRule {
  id: string
  properties: { tags: string[]; 'security-severity'?: string }
}

interface SarifNotification {
  level: 'note' | 'warning'
  message: { text: string }
}

interface SarifResult {
  ruleId: string
  ruleIndex: number
  level: 'error' | 'warning' | 'note'
  message: { text: string }
  locations: [{ physicalLocation: SarifPlace }]
  partialFingerprints: Record<string, string>
  suppressions?: [{ kind: 'external'; status: 'accepted'; justification: string }]
  fixes?: unknown[]
  properties: { finding: Finding } | { filtered: FilteredIssue }
}

interface SarifPlace {
  artifactLocation: { uri: string; uriBaseId: '%SRCROOT%' }
  region?: { startLine: number }
}

/** The number behind it says how it was made: another way of making them is another number. */
const FINGERPRINT = 'gauntletContext/v1'

const LEVELS = {
  Critical: 'error',
  High: 'error',
  Medium: 'warning',
  Low: 'note',
} as const satisfies Record<ReviewSeverity, SarifResult['level']>

/** GitHub's scale of severities. */
const SECURITY_SEVERITY = {
  Critical: '9.5',
  High: '8.0',
  Medium: '5.0',
  Low: '2.0',
} as const satisfies Record<ReviewSeverity, string>

/** The whole report as SARIF: a result per finding, and one, suppressed, per finding that the project does not want to hear of. Nothing is lost. */
export function formatSarif(report: ReviewReport): SarifLog {
  const { issues, filtered } = report.review_results
  const suppressed = filtered.filter(({ reason }) => reason === 'suppressed')
  const rules = rulesOf(issues, suppressed)
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const place = (ruleId: string) => ({ ruleId, ruleIndex: indexes.get(ruleId) ?? 0 })
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'gauntlet', rules } },
        automationDetails: { id: `gauntlet/review/${report.task_id}` },
        columnKind: 'utf16CodeUnits',
        invocations: [
          { executionSuccessful: report.status === 'complete', toolExecutionNotifications: notificationsOf(report) },
        ],
        results: [
          ...issues.map((finding) => ({ ...place(ruleOf(finding)), ...resultOf(finding) })),
          ...suppressed.map((issue) => ({ ...place(issue.label), ...suppressedResult(issue) })),
        ],
        properties: { gauntlet: { ...report, review_results: { ...report.review_results, issues: [] } } },
      },
    ],
  }
}

function ruleOf({ rule, label }: Finding): string {
  return rule ?? label
}

function rulesOf(issues: readonly Finding[], suppressed: readonly FilteredIssue[]): SarifRule[] {
  const rules = new Map<string, SarifRule>()
  for (const issue of issues) {
    const id = ruleOf(issue)
    if (rules.has(id)) continue
    const isSecurity = issue.label === 'Security'
    const severity = isSecurity ? { 'security-severity': SECURITY_SEVERITY[issue.severity] } : {}
    rules.set(id, { id, properties: { tags: [issue.label.toLowerCase()], ...severity } })
  }
  for (const { label } of suppressed) {
    if (!rules.has(label)) rules.set(label, { id: label, properties: { tags: [label.toLowerCase()] } })
  }
  return [...rules.values()]
}

function resultOf(finding: Finding): Omit<SarifResult, 'ruleId' | 'ruleIndex'> {
  const fix = fixOf(finding)
  const artifactLocation = locationOf(finding.relevantFile)
  return {
    level: LEVELS[finding.severity],
    message: { text: finding.suggestionContent },
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: finding.suggestionLine } } }],
    partialFingerprints: { [FINGERPRINT]: finding.fingerprint },
    ...(fix === null ? {} : { fixes: [sarifFix(artifactLocation, fix)] }),
    properties: { finding },
  }
}

/** Whole lines: a region that ends at the start of the line after takes their ends with it. */
function sarifFix(artifactLocation: unknown, { first, last, text }: { first: number; last: number; text: string }) {
  const deletedRegion = { startLine: first, startColumn: 1, endLine: last + 1, endColumn: 1 }
  const replacements = [{ deletedRegion, insertedContent: { text: `${text}\n` } }]
  return { description: { text: 'The improved code' }, artifactChanges: [{ artifactLocation, replacements }] }
}

function suppressedResult(issue: FilteredIssue): Omit<SarifResult, 'ruleId' | 'ruleIndex'> {
  const line = Number(issue.suggestionLine)
  const region = Number.isSafeInteger(line) && line >= 1 ? { region: { startLine: line } } : {}
  return {
    level: 'note',
    message: { text: issue.suggestionContent || issue.detail },
    locations: [{ physicalLocation: { artifactLocation: locationOf(issue.relevantFile), ...region } }],
    partialFingerprints: issue.fingerprint === null ? {} : { [FINGERPRINT]: issue.fingerprint },
    suppressions: [{ kind: 'external', status: 'accepted', justification: issue.detail }],
    properties: { filtered: issue },
  }
}

function locationOf(path: string): SarifPlace['artifactLocation'] {
  return { uri: path.split('/').map(encodeName).join('/'), uriBaseId: '%SRCROOT%' }
}

/** Half a surrogate pair cannot be encoded. */
function encodeName(name: string): string {
  return encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\u{fffd}'))
}

/** What was not looked at, and what is missing: silence is no praise. */
function notificationsOf({ missing, review_results }: ReviewReport): SarifNotification[] {
  const { left_out, reviewers } = review_results.coverage
  const note = (text: string): SarifNotification => ({ level: 'note', message: { text } })
  return [
    ...missing.map((text): SarifNotification => ({ level: 'warning', message: { text } })),
    ...left_out.map(({ path, reason }) => note(`${path}: not reviewed: ${reason}`)),
    ...reviewers
      .filter(({ status }) => status === 'unavailable' || status === 'failed')
      .map(({ name, status, note: why }) => note(`${name} ${status}: ${why}`)),
  ]
}
