import parser from '@babel/eslint-parser'
import { Linter } from 'eslint'
import unsanitized from 'eslint-plugin-no-unsanitized'
import * as regexp from 'eslint-plugin-regexp'
import security from 'eslint-plugin-security'
import type { AnalysedText, AnalyseText, RawFinding } from './raw-finding.js'

/**
 * ESLint with rules of our own choice over a text alone: nothing of the reviewed project is loaded, neither its configuration nor its plugins nor its
 * code, and its comments switch nothing off.
 */
export function createEslintAnalyser(): AnalyseText {
  const linter = new Linter()
  return (text) => lint(linter, text, rules)
}

/** Findings of some rules; one that stumbles over the text is left out for it. Throws an `Error` for a text that cannot be read. */
export function lint(linter: Linter, text: AnalysedText, own: Linter.RulesRecord): RawFinding[] {
  try {
    return messagesOf(linter, text, own).flatMap(found(text))
  } catch (error) {
    const broken = /\nRule: "([^"]+)"/.exec(error instanceof Error ? error.message : '')?.[1]
    if (broken === undefined || own[broken] === undefined || own[broken] === 'off') throw error
    return lint(linter, text, { ...own, [broken]: 'off' })
  }
}

/** ESLint's own parser halves the time; the other knows types and forgives mistakes. */
function messagesOf(linter: Linter, { path, text }: AnalysedText, own: Linter.RulesRecord): Linter.LintMessage[] {
  const filename = `file${extensionOf(path)}`
  const plain = isTyped(path) ? null : linter.verify(text, configFor(path, own, PLAIN), { filename })
  if (plain !== null && !plain.some(({ fatal }) => fatal === true)) return plain
  return linter.verify(text, configFor(path, own, forgiving(path)), { filename })
}

/** Rules of the language that are wrong on purpose only. */
const CORE_RULES = [
  'array-callback-return',
  'constructor-super',
  'for-direction',
  'no-async-promise-executor',
  'no-class-assign',
  'no-compare-neg-zero',
  'no-const-assign',
  'no-constant-binary-expression',
  'no-dupe-args',
  'no-dupe-else-if',
  'no-dupe-keys',
  'no-duplicate-case',
  'no-eval',
  'no-ex-assign',
  'no-fallthrough',
  'no-implied-eval',
  'no-import-assign',
  'no-invalid-regexp',
  'no-loss-of-precision',
  'no-new-func',
  'no-obj-calls',
  'no-script-url',
  'no-self-assign',
  'no-setter-return',
  'no-sparse-arrays',
  'no-template-curly-in-string',
  'no-this-before-super',
  'no-unreachable',
  'no-unreachable-loop',
  'no-unsafe-finally',
  'no-unsafe-negation',
  'no-unsafe-optional-chaining',
  'no-unused-private-class-members',
  'use-isnan',
  'valid-typeof',
] as const

/** Of a text alone: what the rest of a pattern or its caller might add is not held against it. */
export const SLOW_REGEXP_RULES = {
  'regexp/no-super-linear-backtracking': ['warn', { report: 'certain' }],
  'regexp/no-super-linear-move': ['warn', { report: 'certain', ignoreSticky: true }],
} satisfies Linter.RulesRecord

/** By name, since the rule takes `import(name)` for markup otherwise. */
const MARKUP_METHODS = {
  insertAdjacentHTML: { properties: [1] },
  createContextualFragment: { properties: [0] },
  write: { objectMatches: ['document'], properties: [0] },
  writeln: { objectMatches: ['document'], properties: [0] },
  setHTMLUnsafe: { properties: [0] },
}

const rules: Linter.RulesRecord = {
  ...Object.fromEntries(CORE_RULES.map((rule) => [rule, 'warn'] as const)),
  'security/detect-bidi-characters': 'warn',
  'security/detect-disable-mustache-escape': 'warn',
  'security/detect-new-buffer': 'warn',
  'security/detect-no-csrf-before-method-override': 'warn',
  'security/detect-non-literal-require': 'warn',
  'security/detect-pseudoRandomBytes': 'warn',
  'regexp/no-empty-alternative': 'warn',
  'regexp/no-empty-character-class': 'warn',
  'regexp/no-misleading-unicode-character': 'warn',
  ...SLOW_REGEXP_RULES,
  'no-unsanitized/method': ['warn', { defaultDisable: true }, MARKUP_METHODS],
  'no-unsanitized/property': 'warn',
}

/** The configuration for one text: ours alone, whatever the project says. */
function configFor(path: string, own: Linter.RulesRecord, language: Linter.LanguageOptions): Linter.Config[] {
  return [
    {
      // A pattern for everything would match only what ESLint takes for JavaScript.
      files: [`**/*${extensionOf(path)}`],
      plugins: { security, regexp, 'no-unsanitized': unsanitized },
      linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' },
      languageOptions: { ...language, sourceType: /\.c[jt]sx?$/.test(path) ? 'commonjs' : 'module' },
      rules: own,
    },
  ]
}

const PLAIN: Linter.LanguageOptions = { parserOptions: { ecmaFeatures: { jsx: true } } }

function forgiving(path: string): Linter.LanguageOptions {
  const hasElements = !/\.[cm]?ts$/.test(path)
  const plugins = [isTyped(path) ? 'typescript' : 'flow', ...(hasElements ? ['jsx'] : []), 'decorators']
  // Neither of the reviewed project nor of whoever runs this.
  const ours = { babelrc: false, configFile: false, browserslistConfigFile: false }
  const babelOptions = { ...ours, parserOpts: { plugins, errorRecovery: true } }
  return { parser, parserOptions: { requireConfigFile: false, babelOptions } }
}

function isTyped(path: string): boolean {
  return /\.[cm]?tsx?$/.test(path)
}

function extensionOf(path: string): string {
  return /\.[cm]?[jt]sx?$/.exec(path)?.[0] ?? '.js'
}

function found({ path }: AnalysedText): (message: Linter.LintMessage) => RawFinding[] {
  return ({ fatal, message, ruleId, line, endLine }) => {
    if (fatal === true) throw new Error(`cannot be read: ${message.split('\n')[0] ?? ''}`)
    if (ruleId === null) return []
    const rule = isExponential(message) ? 'js/exponential-regexp' : ruleId
    return [{ path, rule, line, endLine: endLine ?? line, message }]
  }
}

/** The plugin has one rule for what squares the time and for what doubles it with every character. */
export function isExponential(message: string): boolean {
  return message.includes('is going to cause exponential backtracking')
}
