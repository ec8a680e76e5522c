import { lineAt, plainSpaces, type QuotationIndex } from './quotation-index.js'

/** Lines from 1, the last included. */
export interface LineRange {
  first: number
  last: number
}

/** A quotation that is really there: what of it was found, and everywhere it is. */
export interface FoundQuotation {
  /** As given, or without the marks that were put around it. */
  text: string
  /** In the order of the file, never empty. */
  places: LineRange[]
}

/**
 * Looks for a quotation, white space aside. Marks that are put around quoted code (fences, line numbers, the `+` of a diff) are taken off when it is
 * not there with them. Null when it is not there. Takes time in proportion to the file and the quotation, whatever they hold.
 */
export function findQuotation(index: QuotationIndex, quotation: string): FoundQuotation | null {
  for (const text of readings(quotation)) {
    const places = placesOf(index, plainSpaces(text))
    if (places.length > 0) return { text, places }
  }
  return null
}

/** The quotation, and with one more kind of mark taken off each time. */
function readings(quotation: string): string[] {
  const all = [quotation]
  for (const strip of [withoutFences, withoutNumbers, withoutMarks]) {
    const stripped = strip(all.at(-1) ?? '')
    if (stripped !== all.at(-1)) all.push(stripped)
  }
  return all
}

function withoutFences(text: string): string {
  const lines = text.trim().split('\n')
  const isFenced =
    lines.length > 2 && /^\s*(?:```|~~~)/.test(lines[0] ?? '') && /^\s*(?:```|~~~)\s*$/.test(lines.at(-1) ?? '')
  return isFenced ? lines.slice(1, -1).join('\n') : text
}

function withoutNumbers(text: string): string {
  return withoutEach(text, /^[ \t]*\d+[ \t]*[:|][ \t]?/)
}

function withoutMarks(text: string): string {
  return withoutEach(text, /^[+ ]/)
}

/** Taken off every line, or off none. */
function withoutEach(text: string, mark: RegExp): string {
  const lines = text.split('\n')
  const isEach = lines.every((line) => line.trim() === '' || mark.test(line))
  return isEach ? lines.map((line) => line.replace(mark, '')).join('\n') : text
}

/** Knuth, Morris and Pratt: linear also for quotations made to be slow. */
function placesOf(index: QuotationIndex, wanted: string): LineRange[] {
  if (wanted === '') return []
  const { stream } = index
  const fallback = fallbackTable(wanted)
  const places: LineRange[] = []
  let matched = 0
  for (let offset = 0; offset < stream.length; offset += 1) {
    const code = stream.charCodeAt(offset)
    while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = fallback[matched - 1] ?? 0
    if (code === wanted.charCodeAt(matched)) matched += 1
    if (matched === wanted.length) {
      places.push({ first: lineAt(index, offset - matched + 1), last: lineAt(index, offset) })
      matched = fallback[matched - 1] ?? 0
    }
  }
  return places
}

/** For each prefix: the length of the longest shorter prefix that it ends with. */
function fallbackTable(wanted: string): Int32Array {
  const table = new Int32Array(wanted.length)
  let length = 0
  for (let index = 1; index < wanted.length; index += 1) {
    while (length > 0 && wanted.charCodeAt(index) !== wanted.charCodeAt(length)) length = table[length - 1] ?? 0
    if (wanted.charCodeAt(index) === wanted.charCodeAt(length)) length += 1
    table[index] = length
  }
  return table
}
