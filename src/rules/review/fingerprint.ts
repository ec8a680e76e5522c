import type { ReviewFile } from '../../contracts/review-part.js'
import { GAP, indexQuotations, lastUpTo, type QuotationIndex } from './quotation-index.js'

/** What a fingerprint is made of. */
export interface FingerprintSubject {
  relevantFile: string
  suggestionLine: number
  rule: string | null
  label: string
}

/**
 * Names findings so that they stay the same when lines move and files are renamed: the kind of finding, its line and the lines with text before
 * and after it, white space aside; where all that is the same twice in a file, also which of them it is. No path and no line number is in it.
 * @param hash 32 hexadecimal digits of a text
 */
export function fingerprints(
  subjects: readonly FingerprintSubject[],
  files: readonly ReviewFile[],
  hash: (text: string) => string,
): string[] {
  const indexes = new Map<string, QuotationIndex>()
  const seen = new Map<string, number>()
  const byPath = new Map(files.map((file) => [file.path, file]))
  return subjects.map((subject) => {
    const context = contextOf(indexFor(indexes, byPath, subject.relevantFile), subject.suggestionLine)
    const material = JSON.stringify([subject.rule ?? subject.label, ...context])
    const key = `${subject.relevantFile}\n${material}`
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return hash(nth === 0 ? material : `${material}#${nth}`)
  })
}

function indexFor(
  indexes: Map<string, QuotationIndex>,
  byPath: ReadonlyMap<string, ReviewFile>,
  path: string,
): QuotationIndex {
  const known = indexes.get(path)
  if (known !== undefined) return known
  const index = indexQuotations(byPath.get(path) ?? { text: '', hunks: [] })
  indexes.set(path, index)
  return index
}

/** The line with text before, the line itself, the one after; '' where there is none. */
function contextOf(index: QuotationIndex, line: number): [string, string, string] {
  const at = lastUpTo(index.numbers, line)
  return [lineText(index, at - 1), lineText(index, at), lineText(index, at + 1)]
}

function lineText({ stream, starts }: QuotationIndex, at: number): string {
  const start = starts[at]
  if (start === undefined) return ''
  const end = starts[at + 1] ?? stream.length + 1
  return stream.slice(start, end - 1).replace(` ${GAP}`, '')
}
