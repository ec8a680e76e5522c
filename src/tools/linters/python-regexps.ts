import type { SgNode } from '@ast-grep/napi'
import { Linter } from 'eslint'
import * as regexp from 'eslint-plugin-regexp'
import { ambiguousRepetition } from '../../rules/review/ambiguous-repetition.js'
import { isExponential, SLOW_REGEXP_RULES } from './eslint-analyser.js'
import type { AnalysedText, RawFinding } from './raw-finding.js'

const FUNCTIONS = /^(?:re|regex)\.(?:compile|match|search|fullmatch|sub|subn|split|findall|finditer)$/

/**
 * Looks for regular expressions in Python that take far longer than their text: those that mean the same in JavaScript are given to the check that
 * ESLint's plugin has for them. Others are passed over.
 */
export function slowRegexps({ path, text }: AnalysedText, root: SgNode): RawFinding[] {
  return root
    .findAll({ rule: { kind: 'call' } })
    .filter((call) => FUNCTIONS.test(call.field('function')?.text() ?? ''))
    .flatMap((call) => {
      const { start, end } = call.range()
      const place = { path, line: start.line + 1, endLine: end.line + 1 }
      return complaintsOf(call, text).map((complaint) => ({ ...place, ...complaint }))
    })
}

const linter = new Linter()

/** The worst that is said of the pattern of a call, if anything. */
function complaintsOf(call: SgNode, text: string): Pick<RawFinding, 'rule' | 'message'>[] {
  const words = call.field('arguments')?.text() ?? ''
  const source = patternOf(call.field('arguments')?.children() ?? [])
  if (source === null) return []
  const isVerbose = /\b(?:re\.)?(?:X|VERBOSE)\b/.test(words)
  const pattern = anchored(asJavaScript(isVerbose ? withoutBlanks(source) : source), call, text)
  if (ambiguousRepetition(pattern) !== null) return [AMBIGUOUS]
  const flags = FLAGS.filter(({ words: named }) => named.test(words)).map(({ flag }) => flag)
  const literal = pattern.replaceAll(/\\[\s\S]|\//g, escapeSlash).replaceAll('\n', String.raw`\n`)
  const messages = linter.verify(`/${literal}/${flags.join('')}`, CONFIG, { filename: 'pattern.js' })
  const said = messages.flatMap(({ fatal, ruleId, message }) =>
    fatal === true ? [] : [{ rule: ruleNamed(ruleId, message), message }],
  )
  return said.toSorted((a, b) => WORST_FIRST.indexOf(a.rule) - WORST_FIRST.indexOf(b.rule)).slice(0, 1)
}

const AMBIGUOUS = { rule: 'py/exponential-regexp', message: 'A repetition can read the same text in several ways' }

const FLAGS = [
  { flag: 's', words: /\b(?:re\.)?(?:S|DOTALL)\b/ },
  { flag: 'i', words: /\b(?:re\.)?(?:I|IGNORECASE)\b/ },
  { flag: 'm', words: /\b(?:re\.)?(?:M|MULTILINE)\b/ },
]

const WORST_FIRST = ['py/exponential-regexp', 'py/slow-regexp', 'py/slow-search']

function ruleNamed(ruleId: string | null, message: string): string {
  if (isExponential(message)) return 'py/exponential-regexp'
  return ruleId === 'regexp/no-super-linear-move' ? 'py/slow-search' : 'py/slow-regexp'
}

/** `match` looks at the start of the text only; so does a compiled expression of which nothing else is asked. */
function anchored(pattern: string, call: SgNode, text: string): string {
  const called = call.field('function')?.text() ?? ''
  const asked = called.endsWith('.compile') ? methodsOf(call, text) : [called.slice(called.lastIndexOf('.') + 1)]
  const isMatch = asked.length > 0 && asked.every((method) => /^(?:full)?match$/.test(method))
  return isMatch ? `^(?:${pattern})` : pattern
}

/** What is called on a compiled expression, at once or by its name in this text. */
function methodsOf(call: SgNode, text: string): string[] {
  const parent = call.parent()
  const method = parent?.kind() === 'attribute' ? parent.field('attribute')?.text() : undefined
  if (method !== undefined) return [method]
  const name = parent?.kind() === 'assignment' ? (parent.field('left')?.text() ?? '') : ''
  if (!/^\w+$/.test(name)) return []
  return [...text.matchAll(new RegExp(String.raw`\b${name}\.(\w+)\(`, 'g'))].map((found) => found[1] ?? '')
}

function escapeSlash(part: string): string {
  return part === '/' ? String.raw`\/` : part
}

const CONFIG: Linter.Config[] = [
  {
    files: ['**/*.js'],
    plugins: { regexp },
    rules: SLOW_REGEXP_RULES,
  },
]

/** The first argument where it is text without anything put in, or several such side by side. */
function patternOf(children: readonly SgNode[]): string | null {
  const first = children.find((child) => child.isNamed() && child.kind() !== 'comment')
  const strings =
    first?.kind() === 'concatenated_string' ? first.children().filter((child) => child.kind() === 'string') : [first]
  const parts = strings.map((node) => (node?.kind() === 'string' ? textOf(node.text()) : null))
  return parts.some((part) => part === null) ? null : parts.join('')
}

/** The value of a literal of Python. */
function textOf(literal: string): string | null {
  const match = /^([A-Za-z]*)("""|'''|"|')([\s\S]*)\2$/.exec(literal)
  if (match === null || /[fF]/.test(match[1] ?? '')) return null
  const inner = match[3] ?? ''
  return /[rR]/.test(match[1] ?? '') ? inner : inner.replaceAll(/\\\n/g, '').replaceAll(/\\([\\'"])/g, '$1')
}

/** The few spellings that differ. */
function asJavaScript(pattern: string): string {
  return pattern
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\(\?P=(\w+)\)/g, String.raw`\k<$1>`)
    .replaceAll(String.raw`\A`, '^')
    .replaceAll(String.raw`\Z`, '$')
    .replace(/^\(\?[a-zA-Z]+\)/, '')
}

/** VERBOSE: blanks and comments of the pattern mean nothing, but in classes. */
function withoutBlanks(pattern: string): string {
  return pattern.replaceAll(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|#[^\n]*|\s+/g, (part) =>
    /^[\s#]/.test(part) ? '' : part,
  )
}
