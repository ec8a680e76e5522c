import type { AnalysisFile, DuplicatesFile, SimilarIssue } from '../../contracts/circt-files.js'
import type { GitHubIssue } from '../../contracts/github-issue.js'
import { corroborations, labelsOf, recommend, scoreIssue } from './duplicate-score.js'
import { candidateKeywords, pickKeywords } from './keywords.js'

export interface DuplicatesEvidence {
  analysis: AnalysisFile
  /** Issues to compare with, unique by number. */
  issues: readonly GitHubIssue[]
  /** Why the list is not what a complete search would give, or null. Then nothing found means nothing. */
  problem: string | null
  /** ISO 8601. */
  timestamp: string
}

export interface DuplicatesVerdict {
  file: DuplicatesFile
  /** What agrees with the top issue besides words: see `corroborations`. */
  corroborated_by: string[]
}

/** Seed 002's check for duplicates on a list of issues: keywords, scores, the five best, the recommendation. */
export function judgeDuplicates({ analysis, issues, problem, timestamp }: DuplicatesEvidence): DuplicatesVerdict {
  const { dialect, failing_pass, crash_type, assertion_message } = analysis
  const corpus = issues.map(({ title, body }) => ({ title, body: body ?? '' }))
  const keywords = pickKeywords(candidateKeywords(analysis), corpus, [failing_pass ?? '', dialect ?? ''])
  const terms = { keywords, assertion_message, failing_pass, dialect }
  const ranked = rankIssues(issues.map((issue) => rated(issue, scoreIssue(issue, terms), analysis)))
  const top = ranked[0]
  const corroborated_by = top?.agreeing ?? []
  const topScore = top?.similar.similarity_score ?? 0
  return {
    file: {
      version: '1.0',
      timestamp,
      search_terms: { dialect, failing_pass, crash_type, keywords, assertion_message },
      results: {
        total_found: ranked.length,
        top_score: topScore,
        issues: ranked.slice(0, 5).map((each) => each.similar),
      },
      recommendation: recommendation({ top: top?.similar ?? null, corroborated_by, problem, compared: issues.length }),
    },
    corroborated_by,
  }
}

/** The answer when nothing could be compared at all. */
export function unknownDuplicates(reason: string, timestamp: string): DuplicatesFile {
  return {
    version: '1.0',
    timestamp,
    search_terms: { dialect: null, failing_pass: null, crash_type: 'unknown', keywords: [], assertion_message: null },
    results: { total_found: 0, top_score: 0, issues: [] },
    recommendation: { action: 'unknown', confidence: 'low', reason },
  }
}

interface Rated {
  similar: SimilarIssue
  agreeing: string[]
}

function rated(
  issue: GitHubIssue,
  { score, reasons }: { score: number; reasons: string[] },
  analysis: AnalysisFile,
): Rated {
  const similar = {
    number: issue.number,
    title: issue.title.slice(0, 300),
    body: (issue.body ?? '').slice(0, 1000),
    labels: labelsOf(issue).slice(0, 20),
    state: issue.state,
    url: /^https?:\/\/[^\s"'<>()]+$/.test(issue.html_url) ? issue.html_url.slice(0, 300) : '',
    createdAt: issue.created_at ?? null,
    similarity_score: score,
    reasons,
  }
  return { similar, agreeing: score > 0 ? corroborations(issue, analysis) : [] }
}

/** Best first; of equal scores the one with more that agrees, then the newer. */
function rankIssues(all: readonly Rated[]): Rated[] {
  return all
    .filter(({ similar }) => similar.similarity_score > 0)
    .sort(
      (a, b) =>
        b.similar.similarity_score - a.similar.similarity_score ||
        b.agreeing.length - a.agreeing.length ||
        b.similar.number - a.similar.number,
    )
}

interface Found {
  top: SimilarIssue | null
  corroborated_by: readonly string[]
  problem: string | null
  compared: number
}

/** A search that did not run through may still show a duplicate, but never that there is none. */
function recommendation({ top, corroborated_by, problem, compared }: Found): DuplicatesFile['recommendation'] {
  const score = top?.similarity_score ?? 0
  const action = recommend(score)
  const best =
    top === null
      ? `nothing in common with ${compared} issues`
      : `#${top.number} scores ${score} (${compared} issues compared)`
  if (problem !== null && action !== 'review_existing') {
    const reason = compared === 0 ? problem : `${problem}; ${best}`
    return { action: 'unknown', confidence: 'low', reason: reason.slice(0, 400) }
  }
  const agreeing = corroborated_by.length === 0 ? 'words only' : `also the same ${corroborated_by.join(', ')}`
  const reason = [problem, action === 'review_existing' ? `${best}: ${agreeing}` : best].filter((each) => each !== null)
  return {
    action,
    confidence: confidenceOf(score, corroborated_by.length > 0),
    reason: reason.join('; ').slice(0, 400),
  }
}

/** Sure at both ends, and least where the words alone speak for a duplicate. */
function confidenceOf(score: number, isCorroborated: boolean): 'high' | 'medium' | 'low' {
  if (score >= 10) return isCorroborated ? 'high' : 'medium'
  if (score >= 8) return isCorroborated ? 'medium' : 'low'
  return score >= 4 ? 'medium' : 'high'
}
