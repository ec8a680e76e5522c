import { bracketGroups } from './bracket-groups.js'
import type { Pass } from './candidate.js'
import type { Token } from './tokens.js'
import { joinTokens, tokenise } from './tokens.js'

/** Makes numbers and the widths of types small: every occurrence of one at once, to 1, to 2 or halved; not to 0, which means something of its own. */
export const simplifyNumbers: Pass = {
  name: 'numbers',
  *candidates(text, language, from) {
    const tokens = tokenise(text, language)
    const values = [...new Set(tokens.filter(isNumeric).map((token) => token.text))].sort()
    const start = from[0] ?? 0
    for (let index = start; index < values.length; index += 1) {
      const value = values[index] ?? ''
      for (const smaller of smallerValues(value)) {
        const replaced = tokens.map((token) => (token.text === value && isNumeric(token) ? smaller : token.text))
        yield { text: replaced.join(''), next: [index] }
      }
    }
  },
}

/** Puts one argument in the place of a call or of a bracket with its word: `add(a, b)` becomes `a`, then `b`. */
export const hoistArguments: Pass = {
  name: 'arguments for calls',
  *candidates(text, language, from) {
    const tokens = tokenise(text, language)
    const groups = bracketGroups(tokens, language).filter((group) => tokens[group.open]?.text === '(')
    for (let index = from[0] ?? 0; index < groups.length; index += 1) {
      const group = groups[index]
      if (group === undefined) continue
      const isCall = tokens[group.open - 1]?.kind === 'word'
      for (const item of group.items.slice(0, MAX_ARGUMENTS)) {
        const argument = joinTokens(tokens.slice(item.from, item.to)).trim()
        if (argument === '' || argument.includes('\n')) continue
        const head = joinTokens(tokens.slice(0, isCall ? group.open - 1 : group.open))
        yield { text: head + argument + joinTokens(tokens.slice(group.close + 1)), next: [index] }
      }
    }
  },
}

const MAX_ARGUMENTS = 4

function isNumeric(token: Token): boolean {
  return token.kind === 'number' || (token.kind === 'word' && WIDTH.test(token.text))
}

/** MLIR's `i32`, also as the end of a type (`!moore.l32`). */
const WIDTH = /^(?:!\w+\.)?[ilsu]+\d+$/u

/** Strictly smaller in value, so that the pass comes to an end. */
function smallerValues(text: string): string[] {
  const [, base, last] = /^\d+ ?'([sS]?[bdhoBDHO]).*([\w?])$/u.exec(text) ?? []
  if (base !== undefined && last !== undefined) return text.startsWith("1'") ? [] : [`1'${base}${last}`]
  const [, head = '', digits = '0'] = /^(\D*)(\d{1,15})$/u.exec(text) ?? []
  const value = Number(digits)
  const tries = [1, 2, Math.floor(value / 2)].filter((smaller) => smaller > 0 && smaller < value)
  return [...new Set(tries)].map((smaller) => `${head}${smaller}`)
}
