import python from '@ast-grep/lang-python'
import { Lang, parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi'
import type { PatternRule } from './pattern-rule.js'
import { ELEMENT_RULES, JAVASCRIPT_RULES } from './pattern-rules-javascript.js'
import { PYTHON_RULES } from './pattern-rules-python.js'
import { createRegexpCheck } from './python-regexps.js'
import type { AnalysedText, AnalyseText, RawFinding } from './raw-finding.js'

/** Patterns over syntax trees, of JavaScript, TypeScript, JSX, TSX and Python. */
export function createPatternAnalyser(): AnalyseText {
  registerDynamicLanguage({ python })
  const checkRegexps = createRegexpCheck()
  return (text) => {
    const language = LANGUAGES.find(({ names }) => names.test(text.path))
    if (language === undefined) return []
    const root = parse(language.language, text.text).root()
    const found = language.rules.flatMap((rule) =>
      matchesOf(root, rule, text.text).map((match) => asFinding(text, rule.id, match)),
    )
    return language.language === 'python' ? [...found, ...checkRegexps(text, root)] : found
  }
}

const LANGUAGES: readonly { names: RegExp; language: Lang | 'python'; rules: readonly PatternRule[] }[] = [
  { names: /\.[cm]?ts$/, language: Lang.TypeScript, rules: JAVASCRIPT_RULES },
  { names: /\.[cm]?(?:tsx|jsx|js)$/, language: Lang.Tsx, rules: [...JAVASCRIPT_RULES, ...ELEMENT_RULES] },
  { names: /\.pyi?$/, language: 'python', rules: PYTHON_RULES },
]

function matchesOf(root: SgNode, { rule, constraints, accepts }: PatternRule, text: string): SgNode[] {
  const matches = root.findAll({ rule, ...(constraints === undefined ? {} : { constraints }) })
  return accepts === undefined ? matches : matches.filter((match) => accepts(match, text))
}

function asFinding({ path }: AnalysedText, rule: string, match: SgNode): RawFinding {
  const { start, end } = match.range()
  return { path, rule, line: start.line + 1, endLine: end.line + 1, message: '' }
}
