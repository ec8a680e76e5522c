import type { SourceLanguage } from '../../contracts/circt.js'

export type TokenKind = 'space' | 'newline' | 'comment' | 'string' | 'word' | 'number' | 'mark'

export interface Token {
  kind: TokenKind
  text: string
}

/** Cuts source text into tokens; the texts joined give the source back, byte for byte, whatever the source is. */
export function tokenise(text: string, language: SourceLanguage): Token[] {
  const pattern = new RegExp(PATTERNS[language], 'gsu')
  return Array.from(text.matchAll(pattern), (match) => ({ kind: kindOf(match.groups ?? {}), text: match[0] }))
}

/** The texts of `tokens` in order, as one string. */
export function joinTokens(tokens: readonly Token[]): string {
  return tokens.map((token) => token.text).join('')
}

/** True for what a tool does not read: layout and comments. */
export function isBlank(token: Token): boolean {
  return token.kind === 'space' || token.kind === 'newline' || token.kind === 'comment'
}

function kindOf(groups: Record<string, string | undefined>): TokenKind {
  return KINDS.find((kind) => groups[kind] !== undefined) ?? 'mark'
}

const KINDS: readonly TokenKind[] = ['newline', 'space', 'comment', 'string', 'word', 'number']

const LAYOUT = String.raw`(?<newline>\n)|(?<space>[^\S\n]+)`
const STRING = String.raw`(?<string>"(?:\\.|[^"\\\n])*")`

/** The last alternative takes any one character, so that nothing is ever left out. */
const PATTERNS = {
  sv: [
    LAYOUT,
    String.raw`(?<comment>\/\/[^\n]*|\/\*.*?\*\/)`,
    STRING,
    String.raw`(?<word>\x60timescale[^\n]*|\x60\w+|\\[^\s]+|[A-Za-z_$][\w$]*)`,
    String.raw`(?<number>(?:\d+ ?)?'[sS]?[bdhoBDHO] ?[\w?]+|'[01xXzZ]|\d[\w.]*)`,
    String.raw`[=!]=[=?]|<<<=?|>>>=?|[-+*\/%&|^]=|\+\+|--|&&|\|\||[<>=!]=|<<|>>|->|::|[-+]:|##|~[&|^]|\*\*|.`,
  ].join('|'),
  fir: [
    LAYOUT,
    String.raw`(?<comment>;[^\n]*|@\[[^\]\n]*\])`,
    STRING,
    String.raw`(?<word>[A-Za-z_$][\w$]*|\x60[^\x60\n]*\x60)`,
    String.raw`(?<number>-?\d[\w.]*)`,
    String.raw`<=|=>|<-|->|.`,
  ].join('|'),
  mlir: [
    LAYOUT,
    String.raw`(?<comment>\/\/[^\n]*)`,
    STRING,
    String.raw`(?<word>@"[^"\n]*"|[%@^!#](?:[\w$.]|-(?!>))+(?:[:#]\d+)?|[A-Za-z_][\w$.]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`->|==|::|.`,
  ].join('|'),
} satisfies Record<SourceLanguage, string>
