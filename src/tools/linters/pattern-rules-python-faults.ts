import type { SgNode } from '@ast-grep/napi'
import { functionText, literally, type PatternRule } from './pattern-rule.js'

/** What does not work in Python as it seems to. */
export const PYTHON_FAULT_RULES: readonly PatternRule[] = [
  {
    id: 'py/swallowed-error',
    needs: /\bexcept\b/,
    rule: {
      kind: 'except_clause',
      regex: String.raw`^except(?:\s+(?:Exception|BaseException)(?:\s+as\s+\w+)?)?\s*:\s*(?:pass|\.\.\.)\s*$`,
    },
  },
  {
    id: 'py/shared-default',
    needs: /=\s*(?:\[\s*\]|\{\s*\}|list\(\)|dict\(\)|set\(\))/,
    rule: { kind: 'default_parameter', regex: String.raw`=\s*(?:\[\s*\]|\{\s*\}|list\(\)|dict\(\)|set\(\))$` },
    accepts: isKeptOrChanged,
  },
  {
    id: 'py/identity-of-literal',
    needs: /\bis\s+(?:not\s+)?(?:["']|\d)/,
    rule: { kind: 'comparison_operator', regex: String.raw`\bis\s+(?:not\s+)?(?:["']|\d)` },
  },
  {
    id: 'py/assert-tuple',
    needs: /\bassert\s*\(/,
    rule: { kind: 'assert_statement', has: { kind: 'tuple' }, regex: String.raw`^assert\s*\(.*,.*\)\s*$` },
  },
]

/** Of a default value: the function changes the parameter, gives it back or keeps it. */
function isKeptOrChanged(match: SgNode): boolean {
  const name = literally(match.field('name')?.text() ?? '')
  const text = functionText(match)
  return new RegExp(
    [
      String.raw`\b${name}\.(?:append|extend|insert|add|update|setdefault|pop|remove|clear|sort|reverse)\(`,
      String.raw`\b${name}\s*\[[^\]]*\]\s*(?:[-+|&]?=)(?!=)`,
      String.raw`\b${name}\s*[-+|&]=`,
      String.raw`\bdel\s+${name}\[`,
      String.raw`\b(?:return|yield)\s+${name}\s*(?:$|#)`,
      String.raw`\.\w+\s*=\s*${name}\s*(?:$|#)`,
    ].join('|'),
    'm',
  ).test(text)
}
