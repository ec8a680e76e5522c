import type { GroundedIssue } from './ground-issues.js'
import { severityRank } from './words.js'

/** An issue and those that say the same. */
export interface MergedIssue {
  issue: GroundedIssue
  duplicates: GroundedIssue[]
}

/**
 * Puts together what is said twice of one line: the same label there, and the same rule, the same subject, or much the same words. Of each group the
 * worst stays, the earlier of two alike, and takes its place in the order of the first.
 */
export function mergeDuplicates(
  issues: readonly GroundedIssue[],
  subjectOf: (rule: string | null) => string | null,
): MergedIssue[] {
  const byPlace = new Map<string, Group[]>()
  const all: Group[] = []
  for (const issue of issues) {
    const place = JSON.stringify([issue.relevantFile, issue.suggestionLine, issue.label])
    const groups = byPlace.get(place) ?? []
    byPlace.set(place, groups)
    const words = new Set(issue.suggestionContent.toLowerCase().match(/[\p{L}\p{N}_]+/gu))
    const same = groups.find((group) => isSame(group, { issue, words, subject: subjectOf(issue.rule) }))
    if (same === undefined) {
      const group = { members: [issue], words, subject: subjectOf(issue.rule) }
      groups.push(group)
      all.push(group)
    } else same.members.push(issue)
  }
  return all.map(({ members }) => {
    const issue = members.reduce((worst, each) => (isWorse(each, worst) ? each : worst))
    return { issue, duplicates: members.filter((each) => each !== issue) }
  })
}

interface Group {
  members: GroundedIssue[]
  /** Of the first. */
  words: ReadonlySet<string>
  subject: string | null
}

interface Candidate {
  issue: GroundedIssue
  words: ReadonlySet<string>
  subject: string | null
}

function isSame(group: Group, { issue, words, subject }: Candidate): boolean {
  const first = group.members[0]
  if (issue.rule !== null && issue.rule === first?.rule) return true
  if (subject !== null && subject === group.subject) return true
  const shared = [...words].filter((word) => group.words.has(word)).length
  return 2 * shared >= words.size + group.words.size - shared
}

function isWorse(a: GroundedIssue, b: GroundedIssue): boolean {
  return severityRank(a.severity) < severityRank(b.severity)
}
