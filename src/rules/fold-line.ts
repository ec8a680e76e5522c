import { columnsOf } from './votes-columns.js'

/**
 * A line of text, or of a table with two blanks between its columns, as lines of at most `width` columns: broken at blanks, and what goes
 * on stands below the last column where that leaves it room, else a little further in than the line itself. What cannot be broken stays whole.
 */
export function foldLine(line: string, width: number): string[] {
  if (columnsOf(line) <= width) return [line]
  const start = lastColumn(line)
  const indent = ' '.repeat(hangOf(line, start, width))
  const [first = '', ...words] = line.slice(start).split(' ')
  const lines = [line.slice(0, start) + first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (columnsOf(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(indent + word)
  }
  return lines
}

/** Where the text behind the last gap of two blanks begins; of plain text, behind its indent. */
function lastColumn(line: string): number {
  const last = [...line.matchAll(/ {2,}(?=\S)/g)].at(-1)
  return last === undefined ? 0 : last.index + last[0].length
}

function hangOf(line: string, start: number, width: number): number {
  const column = columnsOf(line.slice(0, start))
  const own = /^ */.exec(line)?.[0].length ?? 0
  return start > own && column <= width * MOST_HANG ? column : own + 2
}

const MOST_HANG = 2 / 3
