import type { SourceLanguage } from '../../contracts/circt.js'
import type { Pass } from './candidate.js'
import { printLevels, tokenLines, VERILOG_CLOSERS } from './line-levels.js'
import type { Token } from './tokens.js'
import { joinTokens, tokenise } from './tokens.js'

/** Offers the source printed for a reader; without comments and blank lines alone when the rest of it loses the bug. */
export const printReadably: Pass = {
  name: 'print readably',
  *candidates(text, language, from) {
    if (from.length > 0) return
    const printed = readable(text, language)
    if (printed !== text) yield { text: printed, next: [1] }
    const bare = withoutComments(text, language)
    if (bare !== text) yield { text: bare, next: [1] }
  },
}

/** One statement per line, two spaces per level, no comments, no blank lines. Lines are never joined. Printing it twice changes nothing. */
export function readable(text: string, language: SourceLanguage): string {
  const bare = withoutComments(text, language)
  const split = language === 'sv' ? oneStatementPerLine(bare) : bare
  const levels = printLevels(split, language)
  return asText(tokenLines(split, language).map((line, index) => '  '.repeat(levels[index] ?? 0) + tidyLine(line)))
}

/** The text without comments, blank lines and spaces at the end of lines. */
export function withoutComments(text: string, language: SourceLanguage): string {
  const tokens = tokenise(text, language).map((token) =>
    token.kind === 'comment' ? { ...token, text: token.text.includes('\n') ? '\n' : ' ' } : token,
  )
  return asText(joinTokens(tokens).split('\n'))
}

/** Lines without the blank ones and without spaces at their ends, each ended by a newline. */
export function asText(lines: readonly string[]): string {
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('')
}

function oneStatementPerLine(text: string): string {
  let depth = 0
  const pieces = tokenise(text, 'sv').map((token, index, tokens) => {
    depth = Math.max(0, depth + parenthesisStep(token))
    if (token.text === ';' && depth === 0) return ';\n'
    if (token.text === 'begin' && !isLabelled(tokens, index)) return 'begin\n'
    return VERILOG_CLOSERS.test(token.text) ? `\n${token.text}` : token.text
  })
  return pieces.join('')
}

function parenthesisStep(token: Token): number {
  if (token.text === '(' || token.text === '{') return 1
  return token.text === ')' || token.text === '}' ? -1 : 0
}

function isLabelled(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(index + 1, index + 3).some((token) => token.text === ':')
}

function tidyLine(line: readonly Token[]): string {
  const pieces = line.map((token, index) => {
    if (token.kind !== 'space') return token.text
    const isTight = TIGHT_AFTER.has(line[index - 1]?.text) || TIGHT_BEFORE.has(line[index + 1]?.text)
    return isTight ? '' : ' '
  })
  return pieces.join('').trim()
}

const TIGHT_AFTER = new Set<string | undefined>(['(', '['])
const TIGHT_BEFORE = new Set<string | undefined>([')', ';', ','])
