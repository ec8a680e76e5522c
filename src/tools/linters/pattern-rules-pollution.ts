import type { SgNode } from '@ast-grep/napi'
import { functionText, literally, type PatternRule } from './pattern-rule.js'

/** A value written under a key, in a loop. */
const WRITE = {
  rule: {
    any: [{ pattern: '$T[$K] = $V' }],
    inside: {
      stopBy: 'end',
      any: [
        { kind: 'for_in_statement' },
        { pattern: '$O.forEach($$$)' },
        { pattern: '$O.reduce($$$)' },
        { kind: 'for_statement' },
        { kind: 'while_statement' },
      ],
    },
  },
  constraints: { K: { any: [{ kind: 'identifier' }, { kind: 'subscript_expression' }] } },
} satisfies Pick<PatternRule, 'rule' | 'constraints'>

/** Ways into the prototype of all objects, by what stands in the way: nothing, or half of what should. */
export const POLLUTION_RULES: readonly PatternRule[] = [
  {
    id: 'js/prototype-pollution',
    needs: /\]\s*=(?!=)/,
    ...WRITE,
    accepts: (match) => (isWalk(match) || isDeepCopy(match)) && guardOf(match) === 'none',
  },
  {
    id: 'js/prototype-pollution-constructor',
    needs: /__proto__/,
    ...WRITE,
    accepts: (match) => isWalk(match) && guardOf(match) === 'half',
  },
]

/** The target is itself taken from the data by a key: a walk into an object. */
function isWalk(match: SgNode): boolean {
  const target = literally(match.getMatch('T')?.text() ?? '')
  return new RegExp(String.raw`\b${target}\s*=\s*${target}\[`).test(functionText(match))
}

/** A copy of one object into another that calls itself with what the target has under the key: only so a prototype is written to. */
function isDeepCopy(match: SgNode): boolean {
  const [target, key] = ['T', 'K'].map((name) => literally(match.getMatch(name)?.text() ?? ''))
  const isCopy = new RegExp(String.raw`\[\s*${key}\s*\]`).test(match.getMatch('V')?.text() ?? '')
  if (!isCopy) return false
  const calls = new RegExp(String.raw`(\w+)\(\s*(?:\w+,\s*)?${target}\[\s*${key}\s*\]\s*,`, 'g')
  const names = match.ancestors().flatMap(namesOf)
  return [...functionText(match).matchAll(calls)].some((found) => names.includes(found[1] ?? ''))
}

/** How a function is called: by its own name, or by that of what it is given to. */
function namesOf(node: SgNode): string[] {
  if (!/function|method/.test(String(node.kind()))) return []
  const parent = node.parent()
  const given = parent?.field('name') ?? parent?.field('left') ?? parent?.field('key')
  return [node.field('name'), given].flatMap((name) => /\w+$/.exec(name?.text() ?? '') ?? [])
}

/** Looks at own keys only, has no prototype, or asks a function that is named after it. */
const GUARDED = /hasOwn|Object\.create\(null\)|unsafe_?key|is_?unsafe|(?<!_)\b\w*proto\w*\(/i

/** `constructor.prototype` leads there as `__proto__` does, in two steps of a walk. */
function guardOf(match: SgNode): 'none' | 'half' | 'whole' {
  const text = functionText(match)
  if (GUARDED.test(text)) return 'whole'
  if (!text.includes('__proto__')) return 'none'
  return /['"](?:constructor|prototype)['"]/.test(text) ? 'whole' : 'half'
}
