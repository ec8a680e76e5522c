import python from '@ast-grep/lang-python'
import { Lang, parse, registerDynamicLanguage, type SgNode } from '@ast-grep/napi'
import type { PatternRule } from './pattern-rule.js'
import { ELEMENT_RULES, JAVASCRIPT_RULES } from './pattern-rules-javascript.js'
import { PYTHON_RULES } from './pattern-rules-python.js'
import type { AnalysedText, AnalyseText, RawFinding } from './raw-finding.js'

/** Patterns over syntax trees, of JavaScript, TypeScript, JSX, TSX and Python. */
export function createPatternAnalyser(): AnalyseText {
  registerDynamicLanguage({ python })
  return async (text) => {
    const language = LANGUAGES.find(({ names }) => names.test(text.path))
    if (language === undefined) return []
    const root = parse(language.language, text.text).root()
    const found = language.rules.flatMap((rule) =>
      matchesOf(root, rule, text.text).map((match) => asFinding(text, rule.id, match)),
    )
    return language.language === 'python' ? [...found, ...(await checkRegexps(text, root))] : found
  }
}

/** Only texts with regular expressions need what reads them, which takes longer to load than all else here. */
async function checkRegexps(text: AnalysedText, root: SgNode): Promise<RawFinding[]> {
  if (!/\b(?:re|regex)\.\w+\s*\(/.test(text.text)) return []
  const { slowRegexps } = await import('./python-regexps.js')
  return slowRegexps(text, root)
}

const LANGUAGES: readonly { names: RegExp; language: Lang | 'python'; rules: readonly PatternRule[] }[] = [
  { names: /\.[cm]?ts$/, language: Lang.TypeScript, rules: JAVASCRIPT_RULES },
  { names: /\.[cm]?(?:tsx|jsx|js)$/, language: Lang.Tsx, rules: [...JAVASCRIPT_RULES, ...ELEMENT_RULES] },
  { names: /\.pyi?$/, language: 'python', rules: PYTHON_RULES },
]

function matchesOf(root: SgNode, { needs, rule, constraints, accepts }: PatternRule, text: string): SgNode[] {
  if (!needs.test(text)) return []
  const matches = root.findAll({ rule, ...(constraints === undefined ? {} : { constraints }) })
  return accepts === undefined ? matches : matches.filter((match) => accepts(match, text))
}

function asFinding({ path }: AnalysedText, rule: string, match: SgNode): RawFinding {
  const { start, end } = match.range()
  return { path, rule, line: start.line + 1, endLine: end.line + 1, message: '' }
}
