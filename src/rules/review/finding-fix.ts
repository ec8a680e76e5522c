import type { Finding } from '../../contracts/review-report.js'
import type { LineRange } from './find-quotation.js'

/** What may take the place of whole lines: never advice, and never code that was quoted in part. */
export function fixOf(finding: Finding): (LineRange & { text: string }) | null {
  const { flags, isWholeLines, startLine, endLine, improvedCode } = finding
  if (!isWholeLines || flags.includes('advice')) return null
  return { first: startLine, last: endLine, text: improvedCode.replace(/\r?\n$/, '') }
}
