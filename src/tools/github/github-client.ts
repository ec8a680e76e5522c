import { Octokit } from '@octokit/core'
import { paginateRest } from '@octokit/plugin-paginate-rest'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'
import type { GitHubIssue } from '../../contracts/github-issue.js'
import { type GitHubConfig, gitHubConfig } from './github-config.js'
import { asGitHubFailure, unreachable } from './github-failures.js'
import { type IssueList, readIssues } from './issue-list.js'

/** What Gauntlet asks of GitHub. Every method throws `Failure('GitHub.Limited' | 'GitHub.Denied')`, or a `Failure` that `isUnreachable` knows. */
export interface GitHubClient {
  /** Open and closed issues that match, the best ten; pull requests are left out. */
  searchIssues(query: string, signal?: AbortSignal): Promise<SearchAnswer>
  /** The newest issues of a repository, open and closed, up to `limit`. The list is up to date at once; the search lags by minutes. */
  newestIssues(repo: string, limit: number): Promise<GitHubIssue[]>
  createIssue(repo: string, issue: NewIssue): Promise<{ number: number; url: string }>
}

export interface SearchAnswer extends IssueList {
  /** True when GitHub itself ran out of time and gave what it had. */
  isIncomplete: boolean
}

export interface NewIssue {
  title: string
  body: string
  labels: string[]
}

/** A client for the API that `GITHUB_API_URL` and `GITHUB_TOKEN` name. It paces itself, and fails fast: retries belong to Temporal. */
export function createGitHubClient(config: GitHubConfig = gitHubConfig(process.env)): GitHubClient {
  const octokit = newOctokit(config)
  const call = async <T>(what: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> => {
    const limit = AbortSignal.timeout(config.timeoutMs)
    try {
      return await work(signal === undefined ? limit : AbortSignal.any([signal, limit]))
    } catch (error) {
      signal?.throwIfAborted()
      throw asGitHubFailure(error, what)
    }
  }
  return {
    searchIssues: (query, signal) => call('search', (limit) => searchIssues(octokit, { query, limit }), signal),
    newestIssues: (repo, limit) =>
      call(`the issues of ${repo}`, (signal) => newestIssues(octokit, { repo, limit, signal })),
    createIssue: (repo, issue) =>
      call(`a new issue in ${repo}`, (signal) => createIssue(octokit, { repo, issue, signal })),
  }
}

type Client = ReturnType<typeof newOctokit>

function newOctokit({ baseUrl, token, retries, isPaced }: GitHubConfig) {
  const Paced = Octokit.plugin(paginateRest, retry, throttling)
  const giveUp = (): boolean => false
  return new Paced({
    baseUrl,
    userAgent: 'gauntlet',
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    ...(token === null ? {} : { auth: token }),
    retry: { retries, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    throttle: { enabled: isPaced, onRateLimit: giveUp, onSecondaryRateLimit: giveUp },
  })
}

/** Octokit's own log goes to the console otherwise; every error it would tell arrives here as a failure. */
function quiet(): void {}

async function searchIssues(octokit: Client, order: { query: string; limit: AbortSignal }): Promise<SearchAnswer> {
  const { data } = await octokit.request('GET /search/issues', {
    q: order.query,
    per_page: 10,
    request: { signal: order.limit },
  })
  const list = readIssues(data?.items)
  if (list === null) throw unreachable('search', 'the answer is not what the GitHub REST API says')
  return { ...list, isIncomplete: data.incomplete_results }
}

async function newestIssues(
  octokit: Client,
  order: { repo: string; limit: number; signal: AbortSignal },
): Promise<GitHubIssue[]> {
  const [owner = '', repo = ''] = order.repo.split('/')
  const pages = octokit.paginate.iterator<unknown>({
    method: 'GET',
    url: '/repos/{owner}/{repo}/issues',
    owner,
    repo,
    state: 'all',
    sort: 'created',
    direction: 'desc',
    per_page: 100,
    request: { signal: order.signal },
  })
  const issues: GitHubIssue[] = []
  let seen = 0
  for await (const { data } of pages) {
    issues.push(...(readIssues(data)?.issues ?? []))
    seen += data.length
    if (seen >= order.limit) break
  }
  return issues
}

/** Never retried: an answer that was lost on the way may have made the issue. */
async function createIssue(octokit: Client, order: { repo: string; issue: NewIssue; signal: AbortSignal }) {
  const [owner = '', repo = ''] = order.repo.split('/')
  const { data } = await octokit.request('POST /repos/{owner}/{repo}/issues', {
    owner,
    repo,
    ...order.issue,
    request: { signal: order.signal, retries: 0 },
  })
  return { number: data.number, url: data.html_url }
}
