import { codeBlock, codeSpan, cutLines, printable } from './circt/issue-text-safety.js'

/**
 * What a reviewer wrote, as Markdown that says it and does nothing else: one line as text, several as a code block below the line it
 * belongs to. Empty for text that shows nothing. Begins with a blank or a line break.
 * @param indent blanks that keep a block within its list item
 */
export function quoteText(text: string, indent: string): string {
  const clean = printable(text).trim()
  if (clean === '') return ''
  if (!clean.includes('\n')) return ` ${literal(cut(clean))}`
  const { text: kept, note } = cutLines(clean, { lines: 20, characters: maxLength })
  const block = codeBlock(note === null ? kept : `${kept}\n…`, '')
  return `\n${block.replaceAll(/^(?=.)/gm, indent)}`
}

const maxLength = 1500

/** A type or a path: as it is when nothing in it could be markup, else in a code span. */
export function quoteName(name: string): string {
  const clean = printable(name).replaceAll(/\s+/g, ' ').trim()
  return plainName.test(clean) && clean.length <= maxNameLength ? clean : codeSpan(clean, maxNameLength)
}

const maxNameLength = 300

/** Underscores only between letters: elsewhere they may be emphasis. */
const plainName = /^(?:[\p{L}\p{N}./+-]|(?<=[\p{L}\p{N}])[_ ](?=[\p{L}\p{N}]))+$/u

function cut(line: string): string {
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).replace(halfCharacter, '')}…` : line
}

/** The first half of a character of two code units, left over by a cut. */
const halfCharacter = /[\ud800-\udbff]$/

/** Backslashes before what Markdown would take for markup; code spans stay. */
function literal(line: string): string {
  return line
    .split(/((?<!`)`[^`]+`(?!`))/)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(markup, String.raw`\$&`)))
    .join('')
}

/** Underscores within words, comparisons and `SELECT * FROM` are no markup and stay readable. */
const markup = /[\\`[~]|\*(?=\S)|(?<=\S)\*|<(?=[A-Za-z/!?])|&(?=[#\w]{1,32};)|_(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])_/gu
