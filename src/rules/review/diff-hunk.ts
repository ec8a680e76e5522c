import type { Cursor } from './diff-cursor.js'

export interface Hunk {
  /** First lines, from 1; 0 where that side has none. */
  oldStart: number
  newStart: number
  /** How many lines of each side it has. */
  oldLines: number
  newLines: number
  /** What stands behind the second `@@`: usually the function. */
  section: string
  /** Each with its mark: a blank, `+` or `-`. */
  lines: string[]
  /** True when the side's last line in this hunk has no line feed. */
  isOldUnended: boolean
  isNewUnended: boolean
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/

/**
 * The hunk the cursor is at, or null when it is at none. The counts of its head say where it ends, so that removed text which looks like
 * a header is read as text.
 */
export function readHunk(cursor: Cursor): Hunk | { problem: string } | null {
  const head = cursor.peekHeader()
  const match = head === null ? null : HUNK.exec(head)
  if (match === null) return null
  const at = cursor.line()
  cursor.skip()
  const hunk: Hunk = {
    oldStart: Number(match[1]),
    newStart: Number(match[3]),
    oldLines: Number(match[2] ?? 1),
    newLines: Number(match[4] ?? 1),
    section: match[5] ?? '',
    lines: [],
    isOldUnended: false,
    isNewUnended: false,
  }
  return readBody(cursor, hunk) ? hunk : { problem: `the hunk at line ${at} ends before its counts are met` }
}

function readBody(cursor: Cursor, hunk: Hunk): boolean {
  const left = { old: hunk.oldLines, new: hunk.newLines }
  while (left.old > 0 || left.new > 0) {
    const line = cursor.peek()
    if (line === null) return false
    // Mail programs drop the blank that marks an empty line of context.
    const marked = line === '' || line === '\r' ? ` ${line}` : line
    if (!takeLine(hunk, left, marked)) return false
    cursor.skip()
  }
  if (cursor.peek()?.startsWith('\\') === true) {
    noteUnended(hunk)
    cursor.skip()
  }
  return true
}

function takeLine(hunk: Hunk, left: { old: number; new: number }, line: string): boolean {
  const mark = line[0]
  if (mark === '\\') {
    noteUnended(hunk)
    return true
  }
  if (mark !== ' ' && mark !== '+' && mark !== '-') return false
  left.old -= mark === '+' ? 0 : 1
  left.new -= mark === '-' ? 0 : 1
  hunk.lines.push(line)
  return left.old >= 0 && left.new >= 0
}

function noteUnended(hunk: Hunk): void {
  const mark = hunk.lines.at(-1)?.[0]
  hunk.isOldUnended ||= mark !== '+'
  hunk.isNewUnended ||= mark !== '-'
}
