/**
 * Text of strangers (compilers, sources, other people's issues) made safe for a Markdown document that GitHub renders: no HTML, no mentions, no
 * references to other issues, no way out of a code block.
 */

/** One line of prose. Code spans of the text survive; all else is taken literally. `maxLength` in characters, before escaping. */
export function prose(text: string, maxLength: number): string {
  const line = oneLine(text, maxLength)
  return line
    .split(/((?<!`)`[^`]+`(?!`))/)
    .map((segment, at) => (at % 2 === 1 ? segment : escapeMarkdown(segment)))
    .join('')
    .replace(/^([-+#=]|\d+(?=[.)]))/, '\\$1')
    .replace(/^\\(\d+)([.)])/, '$1\\$2')
}

/** GitHub makes links of names, numbers and addresses after it has rendered the rest, so that only a break within them helps. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]~|$]/g, String.raw`\$&`)
    .replace(/@(?=[\w-])/g, `@${noLink}`)
    .replace(/#(?=\d)/g, `#${noLink}`)
    .replace(/\b(GH)-(?=\d)/gi, `$1${noLink}-`)
    .replace(/:(?=\/\/)/g, `:${noLink}`)
    .replace(/\b(www)\./gi, `$1${noLink}.`)
}

/** A zero-width space: invisible, and no part of a name or address. */
const noLink = '\u200b'

/** One line in a code span: nothing in it is markup. */
export function codeSpan(text: string, maxLength: number): string {
  const line = oneLine(text, maxLength) || ' '
  const ticks = '`'.repeat(longestRun(line) + 1)
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

/** Lines in a code block whose fence is longer than any run of backticks inside. */
export function codeBlock(text: string, language: string): string {
  const content = printable(text)
    .replace(lastNewlines, '')
    .replace(endlessRun, (run) => run.slice(0, 64))
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1))
  return [`${fence}${language}`, content, fence].join('\n')
}

/** The look-behind keeps it linear: without it every newline of a long run is tried as the first. */
const lastNewlines = /(?<!\n)\n+$/

/** No program writes such a run, and the fence would be as long. */
const endlessRun = /`{65,}/g

/** A part of the document that is folded away. `summary` is ours. */
export function folded(summary: string, content: string): string {
  return ['<details>', `<summary>${summary}</summary>`, '', content, '', '</details>'].join('\n')
}

export interface Cut {
  text: string
  /** Says what is missing, or null. */
  note: string | null
}

/** The first lines of a text within both limits; a line that is too long by itself is cut. */
export function cutLines(text: string, limits: { lines: number; characters: number }): Cut {
  const lines = text.replace(lastNewlines, '').split('\n')
  const kept: string[] = []
  let left = limits.characters
  for (const line of lines.slice(0, limits.lines)) {
    if (left <= 0) break
    kept.push(line.slice(0, left))
    left -= line.length + 1
  }
  const isWhole = kept.length === lines.length && left >= -1
  return { text: kept.join('\n'), note: isWhole ? null : `Cut: the first ${kept.length} of ${lines.length} lines.` }
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}

function oneLine(text: string, maxLength: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim()
  return line.length > maxLength
    ? `${Array.from(line)
        .slice(0, maxLength - 1)
        .join('')}…`
    : line
}

/** Without terminal colours, control characters, and the marks that reorder text or hide in it. */
export function printable(text: string): string {
  return text
    .replace(ansiSequence, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .replace(/\p{Cs}/gu, '\ufffd')
}

const ansiSequence = new RegExp(String.raw`\u001b\[[0-9;?]*[ -/]*[@-~]`, 'g')
