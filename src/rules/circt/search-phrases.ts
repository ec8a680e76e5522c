import type { AnalysisFile } from '../../contracts/circt-files.js'
import { ownFunctions, passName } from './keywords.js'

/**
 * What to ask GitHub's search for, one query each, the most telling first: the assertion's first 30 characters, the pass, two of the compiler's
 * own functions, the message, the first constructs. At most six: without a token GitHub allows ten searches a minute.
 */
export function searchPhrases(analysis: AnalysisFile): string[] {
  const message = analysis.signature?.message ?? ''
  const phrases = [
    (analysis.assertion_message ?? '').slice(0, 30),
    passName(analysis.failing_pass ?? ''),
    ...ownFunctions(analysis).slice(0, 2),
    message.slice(0, 60),
    analysis.test_case.key_constructs.slice(0, 2).join(' '),
    ...analysis.keywords.slice(0, 6),
  ]
  return [...new Set(phrases.map((phrase) => searchable(phrase)))].filter((phrase) => phrase.length >= 4).slice(0, 6)
}

/** The query of one phrase: issues only, open and closed. Quoted, so that nothing in the phrase acts as a qualifier. */
export function searchQuery(repo: string, phrase: string): string {
  return `repo:${repo} is:issue "${searchable(phrase)}"`
}

/** GitHub takes at most 256 characters and no quotation marks within a quotation. */
function searchable(phrase: string): string {
  return phrase
    .replace(/["\\\p{C}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100)
    .trim()
}
