import type { ReviewHunk } from '../../contracts/review-part.js'

/**
 * The text after a patch, from the text before; null when the patch is not of this text. Lines must stand exactly where the hunks say, carriage
 * returns aside.
 */
export function applyHunks(before: string, hunks: readonly ReviewHunk[]): string | null {
  return patched(before, hunks.map(forward))
}

/** The text before a patch, from the text after. */
export function unapplyHunks(after: string, hunks: readonly ReviewHunk[]): string | null {
  return patched(after, hunks.map(backward))
}

/** A hunk seen from the side one has. */
interface Turned {
  start: number
  count: number
  here: string[]
  there: string[]
  isHereUnended: boolean
  isThereUnended: boolean
}

function forward({ oldStart, oldLines, lines, isOldUnended, isNewUnended }: ReviewHunk): Turned {
  const [here, there] = [sideOf(lines, '+'), sideOf(lines, '-')]
  return { start: oldStart, count: oldLines, here, there, isHereUnended: isOldUnended, isThereUnended: isNewUnended }
}

function backward({ newStart, newLines, lines, isOldUnended, isNewUnended }: ReviewHunk): Turned {
  const [here, there] = [sideOf(lines, '-'), sideOf(lines, '+')]
  return { start: newStart, count: newLines, here, there, isHereUnended: isNewUnended, isThereUnended: isOldUnended }
}

/** The lines that do not have the mark of the other side. */
function sideOf(lines: readonly string[], otherMark: string): string[] {
  return lines.filter((line) => line[0] !== otherMark).map((line) => line.slice(1))
}

function patched(text: string, hunks: readonly Turned[]): string | null {
  // The empty text behind the last line feed is kept: it is what ends the last line.
  const lines = text.split('\n')
  const out: string[] = []
  let at = 0
  for (const { start, count, here, there } of hunks) {
    const from = count === 0 ? start : start - 1
    if (from < at || !isThere(lines, from, here)) return null
    for (; at < from; at += 1) out.push(lines[at] ?? '')
    for (const line of there) out.push(line)
    at = from + count
  }
  return [...out, ...tail(lines.slice(at), hunks.at(-1))].join('\n')
}

function isThere(lines: readonly string[], from: number, wanted: readonly string[]): boolean {
  return wanted.every((line, offset) => plain(line) === plain(lines[from + offset] ?? GONE))
}

/** No line has it. */
const GONE = '\n'

/** Only the last hunk can give the file an end of its last line, or take it. */
function tail(rest: string[], last: Turned | undefined): string[] {
  if (last?.isThereUnended === true) return []
  return last?.isHereUnended === true ? [''] : rest
}

function plain(line: string): string {
  return line.replace(/\r$/, '')
}
