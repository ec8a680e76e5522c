/** A line of a Markdown file, as far as it matters to what we change in it. */
export interface MarkdownLine {
  /** Without its end, and without a BOM. */
  text: string
  /** Offset in the file of its first character, and of its end ('\n', '\r\n', '\r', or nothing for a last line without one). */
  start: number
  stop: number
  /** Nothing within a code block or a comment means anything; their own first and last lines are of their kind. */
  kind: 'text' | 'code' | 'comment'
  /** 1 to 6 for a heading, else 0. */
  heading: number
}

export interface MarkdownLook {
  lines: readonly MarkdownLine[]
  /** What is still open where the file ends: anything written after it would be part of it. */
  open: 'code' | 'comment' | null
}

/** Looks at a Markdown file line by line. The offsets are of the text as given, so that what is not changed stays as it is. */
export function markdownLines(text: string): MarkdownLook {
  const state: State = { fence: null, isComment: false }
  const lines = Array.from(text.matchAll(LINE), ({ 0: all, index }) => {
    const hasMark = index === 0 && all.startsWith('\uFEFF')
    const line = all.replace(/[\r\n]+$/, '')
    return lineAt({ text: hasMark ? line.slice(1) : line, start: index, stop: index + line.length }, state)
  })
  lines.forEach((line, at) => {
    if (line.kind === 'text') line.heading = headingLevel(line.text, lines[at + 1]?.text)
  })
  return { lines, open: state.fence !== null ? 'code' : state.isComment ? 'comment' : null }
}

/** A line with its end, or what is left without one. */
const LINE = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g

interface State {
  /** What opened the code block we are in. */
  fence: Fence | null
  isComment: boolean
}

interface Fence {
  marks: string
  indent: number
}

function lineAt(place: Pick<MarkdownLine, 'text' | 'start' | 'stop'>, state: State): MarkdownLine {
  return { ...place, kind: kindOf(place.text, state), heading: 0 }
}

function kindOf(text: string, state: State): MarkdownLine['kind'] {
  if (state.fence !== null) {
    if (isClosing(text, state.fence)) state.fence = null
    return 'code'
  }
  state.fence = state.isComment ? null : openedBy(text)
  if (state.fence !== null) return 'code'
  if (!state.isComment && !/^ {0,3}<!--/.test(text)) return 'text'
  state.isComment = !text.includes('-->')
  return 'comment'
}

function isClosing(text: string, { marks, indent }: Fence): boolean {
  const [, blanks = '', found = ''] = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/.exec(text) ?? []
  return found.startsWith(marks) && blanks.length <= indent + 3
}

function openedBy(text: string): Fence | null {
  const [, indent, marks] = FENCE.exec(text) ?? []
  return indent === undefined || marks === undefined ? null : { marks, indent: indent.length }
}

/** Of itself, or within a list item. Backticks after backticks are a code span. */
const FENCE = /^((?: {0,3}|[ \t]*(?:[-*+]|\d+[.)])[ \t]+|[ \t]+))(`{3,}(?=[^`]*$)|~{3,})/

function headingLevel(text: string, next: string | undefined): number {
  const [, marks] = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(text) ?? []
  if (marks !== undefined) return marks.length
  if (next === undefined || !/^ {0,3}[^\s>#*+-]/.test(text)) return 0
  if (/^ {0,3}=+[ \t]*$/.test(next)) return 1
  return /^ {0,3}-+[ \t]*$/.test(next) ? 2 : 0
}

/** The end that most lines have; '\n' for a file without any. */
export function lineEndOf(text: string): string {
  const counts = new Map([
    ['\n', 0],
    ['\r\n', 0],
    ['\r', 0],
  ])
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) counts.set(end, (counts.get(end) ?? 0) + 1)
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most))[0]
}
