import type { SgNode } from '@ast-grep/napi'
import { anyOf, functionText, literally, type PatternRule } from './pattern-rule.js'

/** What must not be guessed, and can. */
export const RANDOM_RULES: readonly PatternRule[] = [
  {
    id: 'js/predictable-random',
    needs: /\brandom\b/,
    rule: { pattern: 'Math.random()' },
    accepts: (match) =>
      /token|secret|passw|session|nonce|salt|uuid|\buid\b|csrf|\botp\b|(?:api|private|access)_?key/i.test(
        statementText(match),
      ),
  },
  {
    id: 'js/biased-random',
    needs: /random(?:Bytes|Bits|Values)/,
    rule: anyOf('$B[$I] % $N', '$B % $N', 'Math.floor($B[$I] / $N)'),
    accepts: (match) => !isPowerOfTwo(match.getMatch('N')?.text() ?? '') && isRandomByte(match),
  },
]

function statementText(match: SgNode): string {
  const around = match
    .ancestors()
    .find((each) => /statement|declaration|function|pair|method/.test(String(each.kind())))
  return (around ?? match).text().slice(0, 300)
}

const RANDOM_BYTES = String.raw`[^;\n]*random(?:Bytes|Bits|Values)\w*\(`

/** The value comes from random bytes, and none is thrown away for being too large. */
function isRandomByte(match: SgNode): boolean {
  const name = literally(match.getMatch('B')?.text() ?? '')
  const text = functionText(match)
  const isByte =
    match.getMatch('I') === null
      ? new RegExp(String.raw`\b(?:const|let|var)\s+${name}\s+of\s${RANDOM_BYTES}`)
      : new RegExp(String.raw`\b${name}\s*=\s*${RANDOM_BYTES}|getRandomValues\(\s*${name}\s*\)`)
  const isRejected = new RegExp(String.raw`\b${name}(?:\[[^\]]*\])?\s*[<>]=?\s`)
  return isByte.test(text) && !isRejected.test(text)
}

/** 256 is a multiple of it. */
function isPowerOfTwo(text: string): boolean {
  return /^(?:0x[0-9a-f]+|\d+)$/i.test(text) && Number.isInteger(256 / Number(text))
}
