import { createHash } from 'node:crypto'
import { Failure } from '../../contracts/failures.js'
import { parseIssue } from '../../rules/circt/issue-text-file.js'
import { type IssueDraft } from '../../rules/circt/issue-text.js'
import type { GitHubClient, NewIssue } from '../github/github-client.js'

export interface SubmitOrder {
  /** The text of issue.md, as generated or as a person edited it. */
  issueMarkdown: string
  /** owner/name. */
  repo: string
  /** Names the submission: the same run is posted once. */
  runId: string
  dryRun: boolean
  /** Not used in a dry run. */
  client: Pick<GitHubClient, 'searchIssues' | 'newestIssues' | 'createIssue'>
}

export type SubmitResult =
  | { status: 'dry_run'; request: { method: 'POST'; path: string; body: NewIssue } }
  /** `adopted`: this run's issue was there already, from an earlier try. */
  | { status: 'posted' | 'adopted'; number: number; url: string }

/**
 * Posts a report as an issue, or says what would be posted. A hidden comment with the run's mark makes posting twice harmless: an issue that has
 * it is adopted. Two submissions of one run at the same moment are not told apart.
 * Throws `Failure`: 'Contract.Violated' for text that is no issue, 'GitHub.Limited', 'GitHub.Denied', 'Tool.Failed' when GitHub is out of reach
 * (then the issue may be there: submitting again adopts it).
 */
export async function submitIssue({ issueMarkdown, repo, runId, dryRun, client }: SubmitOrder): Promise<SubmitResult> {
  const mark = markOf(runId)
  const body = requestBody(issueMarkdown, mark)
  if (dryRun) return { status: 'dry_run', request: { method: 'POST', path: `/repos/${repo}/issues`, body } }
  const earlier = await findMarked({ repo, mark, client })
  if (earlier !== null) return { status: 'adopted', ...earlier }
  return { status: 'posted', ...(await client.createIssue(repo, body)) }
}

/** A hash, since a run's key may be the name of somebody's folder. */
function markOf(runId: string): string {
  return `gauntlet-run-${createHash('sha256').update(runId).digest('hex').slice(0, 32)}`
}

function requestBody(markdown: string, mark: string): NewIssue {
  const draft = readDraft(markdown)
  const body = `${draft.body}\n<!-- ${mark} -->\n`
  if (body.length > maxBodyLength) {
    const said = `issue.md: expected a body of at most ${maxBodyLength} characters (GitHub's limit), got ${body.length}`
    throw new Failure('Contract.Violated', said)
  }
  return { title: draft.title, labels: draft.labels, body }
}

const maxBodyLength = 65_536

function readDraft(markdown: string): IssueDraft {
  const draft = parseIssue(markdown)
  if (draft !== null && draft.body.trim() !== '') return draft
  throw new Failure('Contract.Violated', 'issue.md: expected "# title" on its first line and text below it')
}

/** The newest issues first, since GitHub's search learns of an issue only after minutes; then the search, for older ones. */
async function findMarked({ repo, mark, client }: { repo: string; mark: string; client: SubmitOrder['client'] }) {
  const newest = await client.newestIssues(repo, 300)
  const fresh = newest.find(({ body }) => body?.includes(mark))
  const found =
    fresh ??
    (await client.searchIssues(`repo:${repo} is:issue in:body "${mark}"`)).issues.find(({ body }) =>
      body?.includes(mark),
    )
  return found === undefined ? null : { number: found.number, url: found.html_url }
}
