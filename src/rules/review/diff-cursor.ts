/** Walks over the lines of a text without cutting it up first. */
export interface Cursor {
  isAtEnd(): boolean
  /** Number of the line the cursor is at, from 1. */
  line(): number
  /** The line the cursor is at, without its line feed; null at the end. */
  peek(): string | null
  /** The same without the carriage return of a patch whose line ends were changed on the way. */
  peekHeader(): string | null
  skip(): void
  /** Where the cursor is, for `back`. */
  mark(): CursorMark
  back(mark: CursorMark): void
}

export interface CursorMark {
  start: number
  number: number
}

export function openCursor(text: string): Cursor {
  let start = 0
  let number = 1
  let end = lineEnd(text, 0)
  const peek = () => (start >= text.length ? null : text.slice(start, end))
  return {
    isAtEnd: () => start >= text.length,
    line: () => number,
    peek,
    peekHeader: () => peek()?.replace(/\r$/, '') ?? null,
    skip: () => {
      start = end + 1
      end = lineEnd(text, start)
      number += 1
    },
    mark: () => ({ start, number }),
    back: (mark) => {
      ;({ start, number } = mark)
      end = lineEnd(text, start)
    },
  }
}

function lineEnd(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found === -1 ? text.length : found
}
