import type { SourceLanguage } from '../../contracts/circt.js'
import type { Token } from './tokens.js'
import { isBlank, tokenise } from './tokens.js'

export interface LineLevel {
  /** How deep the line stands, counted from 0. */
  level: number
  /** It begins by closing what an earlier line opened, and opens nothing anew: `}`, `end`, `);`. */
  isCloser: boolean
  /** It begins by closing, and opens anew: `} else {`, `end else begin`. */
  isContinuation: boolean
}

/** One entry per line of `text`: by indentation in FIRRTL, by brackets (and begin … end) in MLIR and SystemVerilog. */
export function lineLevels(text: string, language: SourceLanguage): LineLevel[] {
  const lines = tokenLines(text, language)
  return language === 'fir' ? indentationLevels(lines) : nestingLevels(lines.map((line) => bracketsOf(line, language)))
}

/** How far each line is indented in print: one step for all that one line opens, and a line that closes it stands below that line. */
export function printLevels(text: string, language: SourceLanguage): number[] {
  if (language === 'fir') return lineLevels(text, language).map(({ level }) => level)
  const open: number[] = []
  return tokenLines(text, language).map((line) => {
    const { steps, leading } = bracketsOf(line, language)
    const closed = leading > 0 ? open.splice(Math.max(0, open.length - leading)) : []
    const top = open.at(-1)
    const level = closed[0] ?? (top === undefined ? 0 : top + 1)
    for (const step of steps.slice(leading)) {
      if (step > 0) open.push(level)
      if (step < 0) open.pop()
    }
    return level
  })
}

/** Tokens by line; a token that spans lines belongs to its first, and its other lines are empty. */
export function tokenLines(text: string, language: SourceLanguage): Token[][] {
  const lines: Token[][] = [[]]
  for (const token of tokenise(text, language)) {
    if (token.kind !== 'newline') lines.at(-1)?.push(token)
    const breaks = token.text.split('\n').length - 1
    for (let count = 0; count < breaks; count += 1) lines.push([])
  }
  return lines
}

interface Brackets {
  /** 1 opens, -1 closes, in order. */
  steps: readonly number[]
  /** Closers before anything else on the line. */
  leading: number
  /** Openers minus closers after those. */
  rest: number
  isEmpty: boolean
}

function bracketsOf(line: readonly Token[], language: SourceLanguage): Brackets {
  const words = line.filter((token) => !isBlank(token))
  const steps: number[] = words.map((token) => (language === 'sv' ? verilogStep(token, words) : bracketStep(token)))
  const firstOther = steps.findIndex((step) => step >= 0)
  const leading = firstOther === -1 ? steps.length : firstOther
  return {
    steps,
    leading,
    rest: steps.slice(leading).reduce((sum, step) => sum + step, 0),
    isEmpty: words.length === 0,
  }
}

function nestingLevels(lines: readonly Brackets[]): LineLevel[] {
  let depth = 0
  return lines.map((line) => {
    depth = Math.max(0, depth - line.leading)
    const level = depth
    depth = Math.max(0, depth + line.rest)
    return { level, ...roleOf(line) }
  })
}

function roleOf({ leading, rest }: Brackets): Omit<LineLevel, 'level'> {
  return { isCloser: leading > 0 && rest <= 0, isContinuation: leading > 0 && rest > 0 }
}

const PLAIN_LINE = { isCloser: false, isContinuation: false }

/** Lines inside brackets (annotations as JSON) stand below the line that opened them, whatever their indentation. */
function indentationLevels(lines: readonly (readonly Token[])[]): LineLevel[] {
  const indents: number[] = []
  let depth = 0
  let level = 0
  return lines.map((line) => {
    const brackets = bracketsOf(line, 'fir')
    if (brackets.isEmpty) return { level: level + (depth > 0 ? 1 : 0), ...PLAIN_LINE }
    const isInside = depth > 0
    depth = Math.max(0, depth - brackets.leading)
    const inner = depth
    depth = Math.max(0, depth + brackets.rest)
    if (isInside) return { level: level + Math.max(1, inner), ...roleOf(brackets) }
    const indent = line[0]?.kind === 'space' ? line[0].text.length : 0
    while (indents.length > 0 && (indents.at(-1) ?? 0) >= indent) indents.pop()
    level = indents.length
    indents.push(indent)
    return { level, ...PLAIN_LINE }
  })
}

function bracketStep(token: Token): -1 | 0 | 1 {
  if (token.kind !== 'mark') return 0
  if ('([{'.includes(token.text)) return 1
  return ')]}'.includes(token.text) ? -1 : 0
}

function verilogStep(token: Token, line: readonly Token[]): -1 | 0 | 1 {
  if (token.kind !== 'word') return bracketStep(token)
  if (VERILOG_CLOSERS.test(token.text)) return -1
  if (!VERILOG_OPENERS.has(token.text)) return 0
  return BODILESS.has(line[0]?.text ?? '') || line[line.indexOf(token) - 1]?.text === 'virtual' ? 0 : 1
}

export const VERILOG_CLOSERS = /^(?:end|end[a-z]+|join|join_any|join_none)$/u

export const VERILOG_OPENERS: ReadonlySet<string> = new Set(
  (
    'module macromodule interface package class function task begin case casex casez fork generate primitive program ' +
    'property sequence covergroup clocking config checker specify table'
  ).split(' '),
)

/** First words of statements in which an opener has no body of its own: `import "DPI-C" function …;`, `assert property (…);`. */
const BODILESS = new Set(
  'import export extern pure typedef disable wait assert assume cover restrict `define'.split(' '),
)
