import { AnalysisFile, type DuplicatesFile } from '../../contracts/circt-files.js'
import type { DuplicatesOrder, DuplicatesResult } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import type { GitHubIssue } from '../../contracts/github-issue.js'
import { parseJson } from '../../contracts/parse.js'
import { duplicatesReport } from '../../rules/circt/duplicates-report.js'
import { judgeDuplicates, unknownDuplicates } from '../../rules/circt/duplicates.js'
import { searchPhrases, searchQuery } from '../../rules/circt/search-phrases.js'
import { createGitHubClient, type GitHubClient } from '../github/github-client.js'
import { isUnreachable } from '../github/github-failures.js'
import { parseIssueSnapshot } from '../github/issue-list.js'
import type { CirctBox } from './circt-box.js'

export interface DuplicatesOptions {
  /** Made only when there is no snapshot; by default from the environment. */
  github?: () => GitHubClient
  now?: () => Date
}

/**
 * Seed 002's check_duplicates: compares the analysis with a snapshot of issues, or with what GitHub's search finds, and writes duplicates.json and
 * duplicates.md. A search that could not run, or ran in part and found nothing, is `unknown`.
 * Throws `Failure`: 'Contract.Violated' for a broken snapshot or analysis, 'GitHub.Limited' with its delay, 'GitHub.Denied'.
 */
export async function checkDuplicates(
  order: DuplicatesOrder,
  box: Pick<CirctBox, 'store' | 'signal' | 'heartbeat'>,
  options: DuplicatesOptions = {},
): Promise<DuplicatesResult> {
  const timestamp = (options.now ?? newDate)().toISOString()
  const analysis = await readAnalysis(order, box)
  if (analysis === null) {
    const file = unknownDuplicates('there is no analysis to search with', timestamp)
    return await publishResult({ file, box, corroborated_by: [] })
  }
  const corpus =
    order.issues === null
      ? await searchGitHub({ order, analysis, box, options })
      : await readSnapshot(order.issues, box)
  const { file, corroborated_by } = judgeDuplicates({
    analysis,
    issues: corpus.issues,
    problem: corpus.problem,
    timestamp,
  })
  return await publishResult({ file: withSkipped(file, corpus.skipped), box, corroborated_by })
}

function newDate(): Date {
  return new Date()
}

type Box = Pick<CirctBox, 'store' | 'signal' | 'heartbeat'>

async function readAnalysis({ analysis }: DuplicatesOrder, { store }: Box): Promise<AnalysisFile | null> {
  const artifact = analysis?.artifacts.find(({ name }) => name === 'analysis.json')
  if (artifact === undefined) return null
  return parseJson(AnalysisFile, (await store.get(artifact)).toString('utf8'), artifact.name)
}

interface Corpus {
  issues: GitHubIssue[]
  /** Entries left out, named. */
  skipped: string[]
  problem: string | null
}

async function readSnapshot(snapshot: NonNullable<DuplicatesOrder['issues']>, { store }: Box): Promise<Corpus> {
  if (snapshot.size > maxSnapshotBytes) {
    const said = `${snapshot.name}: expected at most ${maxSnapshotBytes} bytes of issues, got ${snapshot.size}`
    throw new Failure('Contract.Violated', said)
  }
  const list = parseIssueSnapshot((await store.get(snapshot)).toString('utf8'), snapshot.name)
  const isEmpty = list.issues.length === 0
  return { ...list, problem: isEmpty ? `${snapshot.name} holds no issue that can be read` : null }
}

const maxSnapshotBytes = 64 * 1024 * 1024

interface Search {
  order: DuplicatesOrder
  analysis: AnalysisFile
  box: Box
  options: DuplicatesOptions
}

/** One query after the other, as GitHub asks; what came before a lost connection is kept. */
async function searchGitHub({ order, analysis, box, options }: Search): Promise<Corpus> {
  const github = (options.github ?? createGitHubClient)()
  const byNumber = new Map<number, GitHubIssue>()
  const phrases = searchPhrases(analysis)
  const corpus = {
    skipped: new Array<string>(),
    problem: phrases.length === 0 ? 'there is nothing to search for' : null,
  }
  for (const [at, phrase] of phrases.entries()) {
    box.heartbeat({ query: at + 1, of: phrases.length })
    const answer = await askGitHub(github, { query: searchQuery(order.repo, phrase), signal: box.signal })
    if (typeof answer === 'string') return { ...corpus, issues: [...byNumber.values()], problem: answer }
    for (const issue of answer.issues) byNumber.set(issue.number, issue)
    corpus.skipped.push(...answer.skipped)
    if (answer.isIncomplete) corpus.problem = 'GitHub ran out of time and searched only in part'
  }
  return { ...corpus, issues: [...byNumber.values()] }
}

/** The answer, or why there is none. */
async function askGitHub(github: GitHubClient, { query, signal }: { query: string; signal: AbortSignal }) {
  try {
    return await github.searchIssues(query, signal)
  } catch (error) {
    if (isUnreachable(error)) return `the search could not run: ${error.message}`
    throw error
  }
}

function withSkipped(file: DuplicatesFile, skipped: readonly string[]): DuplicatesFile {
  if (skipped.length === 0) return file
  const named = `${skipped.length} broken entries left out (${skipped.slice(0, 3).join('; ')})`
  const reason = `${file.recommendation.reason}; ${named}`.slice(0, 800)
  return { ...file, recommendation: { ...file.recommendation, reason } }
}

interface Publication {
  file: DuplicatesFile
  box: Box
  corroborated_by: readonly string[]
}

async function publishResult({ file, box, corroborated_by }: Publication): Promise<DuplicatesResult> {
  const { results, recommendation } = file
  const artifacts = [
    await box.store.put('duplicates.json', `${JSON.stringify(file, null, 2)}\n`, 'application/json'),
    await box.store.put('duplicates.md', duplicatesReport(file), 'text/markdown'),
  ]
  const top = results.issues[0]
  return {
    action: recommendation.action,
    top_score: results.top_score,
    top_issue:
      top === undefined ? null : { number: top.number, title: top.title, url: top.url, score: top.similarity_score },
    similar_count: results.issues.filter((issue) => issue.similarity_score >= 4).length,
    is_corroborated: corroborated_by.length > 0,
    note: recommendation.reason.slice(0, 400),
    artifacts,
  }
}
