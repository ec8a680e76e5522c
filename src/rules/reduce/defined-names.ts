import type { SourceLanguage } from '../../contracts/circt.js'
import type { Token } from './tokens.js'
import { isBlank } from './tokens.js'

/** Names that a line defines, as far as its words tell. A guess: a wrong one costs a run of the oracle, never a wrong result. */
export function definedNames(line: readonly Token[], language: SourceLanguage): string[] {
  const words = line.filter((token) => !isBlank(token))
  if (language === 'fir') return firrtlNames(words)
  return language === 'mlir' ? mlirNames(words) : verilogNames(words)
}

/** Names a line mentions, those inside strings too: FIRRTL's annotations name their targets there. */
export function mentionedNames(line: readonly Token[], language: SourceLanguage): Set<string> {
  const names = line.flatMap((token) => {
    if (token.kind === 'word') return [bareName(token.text)]
    return token.kind === 'string' && language === 'fir' ? (token.text.match(/[A-Za-z_]\w*/gu) ?? []) : []
  })
  return new Set(names)
}

function firrtlNames(words: readonly Token[]): string[] {
  const [first, second] = words[0]?.text === 'public' ? words.slice(1) : words
  return first !== undefined && second?.kind === 'word' && FIRRTL_DEFINING.has(first.text) ? [second.text] : []
}

function mlirNames(words: readonly Token[]): string[] {
  const equals = words.findIndex((token) => token.text === '=')
  const results = words.slice(0, Math.max(0, equals)).filter((token) => token.text.startsWith('%'))
  if (words[0]?.text.startsWith('%') === true && equals > 0) return results.map((token) => bareName(token.text))
  const isUse = /call|instance|output|return/u.test(words[0]?.text ?? '')
  const symbol = words.slice(1, 4).find((token) => token.text.startsWith('@'))
  return symbol === undefined || isUse ? [] : [symbol.text]
}

function verilogNames(words: readonly Token[]): string[] {
  const [first, second, third] = words
  if (first?.kind !== 'word' || second === undefined) return []
  if (VERILOG_DECLARING.has(first.text)) return declaredNames(words)
  const isInstance = second.kind === 'word' && third?.text === '(' && !VERILOG_STATEMENTS.has(first.text)
  return isInstance ? [second.text] : []
}

/** The words of a declaration that stand right before `,` `;` `=` `[` `(` `)` `#` or the end, outside ranges and after no operator. */
function declaredNames(words: readonly Token[]): string[] {
  let depth = 0
  return words.flatMap((token, index) => {
    depth += rangeStep(token)
    const isName = index > 0 && depth === 0 && token.kind === 'word' && !isValue(words[index - 1])
    return isName && endsDeclarator(words[index + 1]) ? [token.text] : []
  })
}

function rangeStep(token: Token): number {
  if (token.text === '[' || token.text === '{') return 1
  return token.text === ']' || token.text === '}' ? -1 : 0
}

function endsDeclarator(after: Token | undefined): boolean {
  return after === undefined || ',;=[()#'.includes(after.text)
}

function isValue(before: Token | undefined): boolean {
  return before?.kind === 'mark' && before.text !== ',' && before.text !== ']'
}

/** `%0:2` and `%0#1` both mean `%0`. */
export function bareName(word: string): string {
  return word.startsWith('%') ? word.replace(/[:#]\d+$/u, '') : word
}

const FIRRTL_DEFINING = new Set(
  (
    'module extmodule intmodule formal simulation class extclass layer input output wire reg regreset node mem inst ' +
    'object type smem cmem group layerblock contract domain option'
  ).split(' '),
)

const VERILOG_DECLARING = new Set(
  (
    'module macromodule interface package class function task program input output inout logic wire reg bit int integer ' +
    'byte shortint longint genvar localparam parameter var real string typedef enum struct tri supply0 supply1 event'
  ).split(' '),
)

const VERILOG_STATEMENTS = new Set('else assign always initial final assert assume cover return begin end'.split(' '))
