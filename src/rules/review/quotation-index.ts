import type { ReviewFile } from '../../contracts/review-part.js'

/** A file's text as one line in which every run of white space is one blank, and where its lines are in it. */
export interface QuotationIndex {
  stream: string
  /** Offsets in `stream` at which lines with text begin, ascending. */
  starts: number[]
  /** Their numbers in the file. */
  numbers: number[]
}

/** Stands between hunks: no quotation goes across, and no quotation has it. */
export const GAP = '\u0000'

/** Indexes the version under review: the whole text where it is known, else what the hunks show of it. */
export function indexQuotations(file: Pick<ReviewFile, 'text' | 'hunks'>): QuotationIndex {
  const pieces: string[] = []
  const index: QuotationIndex = { stream: '', starts: [], numbers: [] }
  let offset = 0
  for (const [number, line] of linesOf(file)) {
    const plain = number === null ? GAP : plainSpaces(line)
    if (plain === '') continue
    if (number !== null) {
      index.starts.push(offset)
      index.numbers.push(number)
    }
    pieces.push(plain)
    offset += plain.length + 1
  }
  index.stream = pieces.join(' ')
  return index
}

/** Every run of white space as one blank, none at the ends; what marks a gap is taken out. */
export function plainSpaces(text: string): string {
  return text.replaceAll(GAP, '').replaceAll(/\s+/g, ' ').trim()
}

/** Number and text of each line; number null is a gap. */
function* linesOf({ text, hunks }: Pick<ReviewFile, 'text' | 'hunks'>): Generator<[number | null, string]> {
  if (text !== null) {
    let number = 0
    for (const line of text.split('\n')) yield [(number += 1), line]
    return
  }
  for (const hunk of hunks) {
    let number = hunk.newStart
    for (const line of hunk.lines) {
      if (line[0] !== '-') yield [number++, line.slice(1)]
    }
    yield [null, '']
  }
}

/** Number of the line at an offset of the stream. */
export function lineAt({ starts, numbers }: QuotationIndex, offset: number): number {
  return numbers[lastUpTo(starts, offset)] ?? 1
}

/** Where the last of an ascending list stands that is not above `most`; 0 when all are. */
export function lastUpTo(ascending: readonly number[], most: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((ascending[middle] ?? 0) <= most) low = middle
    else high = middle - 1
  }
  return low
}

/** True when a text is nothing but the lines of a range, white space aside. */
export function isWholeLines(index: QuotationIndex, range: { first: number; last: number }, text: string): boolean {
  const from = lastUpTo(index.numbers, range.first)
  const to = lastUpTo(index.numbers, range.last)
  const end = index.starts[to + 1] ?? index.stream.length + 1
  return index.stream.slice(index.starts[from], end - 1).replace(` ${GAP}`, '') === plainSpaces(text)
}
