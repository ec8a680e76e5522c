import { z } from 'zod'
import { GitHubIssue } from '../../contracts/github-issue.js'
import { parseJson } from '../../contracts/parse.js'

export interface IssueList {
  issues: GitHubIssue[]
  /** What was left out, one line each: a broken entry and why. */
  skipped: string[]
}

/**
 * The threads of a snapshot: the text of a JSON array of GitHub REST issue objects. Pull requests stay: who put them there wants to know
 * of a mend as much as of a report. A broken entry is skipped and named.
 * Throws `Failure('Contract.Violated')` when the file is no such array.
 */
export function parseIssueSnapshot(text: string, name: string): IssueList {
  return listOf(parseJson(z.array(z.unknown()), text, `${name} (an array of GitHub REST issue objects)`), () => true)
}

/** Issues of a REST answer, unique by number and without pull requests; null when it is no array. */
export function readIssues(data: unknown): IssueList | null {
  return Array.isArray(data) ? listOf(data, (issue) => !isPullRequest(issue)) : null
}

function listOf(data: readonly unknown[], isWanted: (issue: GitHubIssue) => boolean): IssueList {
  const byNumber = new Map<number, GitHubIssue>()
  const skipped: string[] = []
  for (const [at, entry] of data.entries()) {
    const parsed = GitHubIssue.safeParse(entry)
    if (!parsed.success) skipped.push(complaint(at, entry, parsed.error.issues[0]))
    else if (isWanted(parsed.data) && !byNumber.has(parsed.data.number)) {
      byNumber.set(parsed.data.number, parsed.data)
    }
  }
  return { issues: [...byNumber.values()], skipped }
}

/** GitHub's lists of issues hold pull requests too. */
function isPullRequest(issue: GitHubIssue): boolean {
  return (issue.pull_request ?? null) !== null || /\/pull\/\d+$/.test(issue.html_url)
}

function complaint(at: number, entry: unknown, issue: { path: PropertyKey[]; message: string } | undefined): string {
  const number = (entry as { number?: unknown } | null)?.number
  const name = typeof number === 'number' ? ` (#${number})` : ''
  return `entry ${at}${name}: ${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'broken'}`.slice(0, 200)
}
