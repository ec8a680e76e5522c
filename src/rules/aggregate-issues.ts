import type {
  AggregateInput,
  AggregateResult,
  Dimension,
  IssueSource,
  Severity,
  SourcedIssue,
} from '../contracts/aggregate.js'

export type IssueCounts = AggregateResult['issue_counts']

const SOURCES = {
  security: 'security-reviewer',
  quality: 'quality-checker',
  performance: 'performance-analyzer',
} as const satisfies Record<Dimension, IssueSource>

const RANKS = { Critical: 0, High: 1, Medium: 2, Low: 3 } as const satisfies Record<Severity, number>

/** All issues of the three reviews, each with who gave it: that is a fact of the input, whatever the issue says of itself. */
export function collectIssues(input: AggregateInput): SourcedIssue[] {
  return [
    ...sourced(input.security_result.issues, 'security'),
    ...sourced(input.quality_result.issues, 'quality'),
    ...sourced(input.performance_result.issues, 'performance'),
  ]
}

function sourced(issues: AggregateInput['security_result']['issues'], dimension: Dimension): SourcedIssue[] {
  const source = SOURCES[dimension]
  return issues.map(({ source: _claimed, ...issue }) => ({ source, ...issue }))
}

export function countIssues(issues: readonly { severity: Severity }[]): IssueCounts {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 }
  for (const { severity } of issues) counts[COUNTED[severity]] += 1
  return counts
}

const COUNTED = { Critical: 'critical', High: 'high', Medium: 'medium', Low: 'low' } as const

/**
 * Worst first; High by reach; then what the tech stack moves up; then by file and line. The rest of the order is by content, so that
 * the order of the input never shows.
 * @param shiftOf how far the tech stack moves a type up among its equals
 */
export function orderIssues(issues: readonly SourcedIssue[], shiftOf: (type: string) => number): SourcedIssue[] {
  const reach = reachOf(issues)
  const keyed = issues.map((issue) => {
    const { places, files } = reach.get(issue.type) ?? { places: 0, files: 0 }
    const isHigh = issue.severity === 'High'
    const ranks = [RANKS[issue.severity], isHigh ? -places : 0, isHigh ? -files : 0, -shiftOf(issue.type)]
    return { issue, ranks }
  })
  return keyed
    .sort((left, right) => compareRanks(left.ranks, right.ranks) || compareContent(left.issue, right.issue))
    .map(({ issue }) => issue)
}

interface Reach {
  /** Different file:line at which the type occurs, whoever says so and how severe it is there. */
  places: number
  files: number
}

function reachOf(issues: readonly SourcedIssue[]): Map<string, Reach> {
  const seen = new Map<string, Map<string, Set<number>>>()
  for (const { type, file, line } of issues) {
    const files = getOrAdd(seen, type, () => new Map<string, Set<number>>())
    getOrAdd(files, file, () => new Set<number>()).add(line ?? 0)
  }
  return new Map([...seen].map(([type, files]) => [type, { places: placesOf(files), files: files.size }]))
}

function placesOf(files: Map<string, Set<number>>): number {
  return [...files.values()].reduce((sum, lines) => sum + lines.size, 0)
}

function compareRanks(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((rank, index) => rank !== right[index])
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

function compareContent(left: SourcedIssue, right: SourcedIssue): number {
  return (
    compareTexts(left.file, right.file) ||
    (left.line ?? 0) - (right.line ?? 0) ||
    compareTexts(left.type, right.type) ||
    RANKED_SOURCES.indexOf(left.source) - RANKED_SOURCES.indexOf(right.source) ||
    compareTexts(left.description, right.description) ||
    compareTexts(left.suggestion, right.suggestion)
  )
}

const RANKED_SOURCES: readonly IssueSource[] = Object.values(SOURCES)

/** By code unit: the same on every machine, whatever its locale. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** One place of the feedback: everything that was said of one type:file:line, under the worst severity given to it. */
export interface MergedIssue {
  severity: Severity
  type: string
  file: string
  line: number | null
  says: { source: IssueSource; description: string; suggestion: string }[]
}

/** @param ordered as `orderIssues` gives them; the first of a place is the worst */
export function mergeIssues(ordered: readonly SourcedIssue[]): MergedIssue[] {
  const places = new Map<string, MergedIssue>()
  for (const { severity, type, file, line, source, description, suggestion } of ordered) {
    const key = JSON.stringify([type, file, line ?? null])
    const place = getOrAdd(places, key, () => ({ severity, type, file, line: line ?? null, says: [] }))
    place.says.push({ source, description, suggestion })
  }
  return [...places.values()]
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}
