import type { DuplicatesFile, SimilarIssue } from '../../contracts/circt-files.js'
import { codeSpan, prose } from './issue-text-safety.js'

/** duplicates.md. Texts of issues are strangers' words: escaped, on one line, bounded. */
export function duplicatesReport({ search_terms, results, recommendation }: DuplicatesFile): string {
  const lines = [
    '# Duplicate check',
    '',
    `**Recommendation:** \`${recommendation.action}\` (${recommendation.confidence} confidence)`,
    '',
    prose(recommendation.reason, 400),
    '',
    '## Search terms',
    '',
    `- Dialect: ${orNone(search_terms.dialect)}`,
    `- Failing pass: ${orNone(search_terms.failing_pass)}`,
    `- Crash type: ${orNone(search_terms.crash_type)}`,
    `- Assertion: ${orNone(search_terms.assertion_message)}`,
    `- Keywords: ${search_terms.keywords.map((keyword) => codeSpan(keyword, 80)).join(', ') || 'none'}`,
    '',
    `## Similar issues (${results.issues.length} of ${results.total_found})`,
    '',
    ...(results.issues.length === 0 ? ['None.', ''] : results.issues.flatMap((issue) => describe(issue))),
  ]
  return lines.join('\n')
}

function orNone(text: string | null): string {
  return text === null ? 'none' : codeSpan(text, 200)
}

function describe(issue: SimilarIssue): string[] {
  const link = issue.url === '' ? `#${issue.number}` : `[#${issue.number}](<${issue.url}>)`
  return [
    `### ${link}: score ${issue.similarity_score}`,
    '',
    `${codeSpan(issue.title, 200)} (${codeSpan(issue.state, 20)})`,
    '',
    ...issue.reasons.map((reason) => `- ${prose(reason, 200)}`),
    '',
  ]
}
