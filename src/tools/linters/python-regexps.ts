import type { SgNode } from '@ast-grep/napi'
import { Linter } from 'eslint'
import * as regexp from 'eslint-plugin-regexp'
import type { AnalysedText, RawFinding } from './raw-finding.js'

const FUNCTIONS = /^(?:re|regex)\.(?:compile|match|search|fullmatch|sub|subn|split|findall|finditer)$/

/**
 * Looks for regular expressions in Python that take far longer than their text: those that mean the same in JavaScript are given to the check that
 * ESLint's plugin has for them. Others are passed over.
 */
export function createRegexpCheck(): (text: AnalysedText, root: SgNode) => RawFinding[] {
  const linter = new Linter()
  return ({ path }, root) =>
    root
      .findAll({ rule: { kind: 'call' } })
      .filter((call) => FUNCTIONS.test(call.field('function')?.text() ?? ''))
      .flatMap((call) => {
        const message = complaintOf(linter, call)
        const { start, end } = call.range()
        return message === null
          ? []
          : [{ path, rule: 'py/slow-regexp', line: start.line + 1, endLine: end.line + 1, message }]
      })
}

function complaintOf(linter: Linter, call: SgNode): string | null {
  const words = call.field('arguments')?.text() ?? ''
  const source = patternOf(call.field('arguments')?.children() ?? [])
  if (source === null) return null
  const isVerbose = /\b(?:re\.)?(?:X|VERBOSE)\b/.test(words)
  const pattern = asJavaScript(isVerbose ? withoutBlanks(source) : source)
  const flags = /\b(?:re\.)?(?:S|DOTALL)\b/.test(words) ? 's' : ''
  const code = `/${pattern.replaceAll(/\\[\s\S]|\//g, escapeSlash).replaceAll('\n', String.raw`\n`)}/${flags}`
  const [message] = linter.verify(code, CONFIG, { filename: 'pattern.js' })
  return message === undefined || message.fatal === true ? null : message.message
}

function escapeSlash(part: string): string {
  return part === '/' ? String.raw`\/` : part
}

const CONFIG: Linter.Config[] = [
  {
    files: ['**/*.js'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['warn', { report: 'potential' }],
      'regexp/no-super-linear-move': ['warn', { report: 'potential' }],
    },
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
