import type { SgNode } from '@ast-grep/napi'
import { anyOf, functionText, literally, type PatternRule } from './pattern-rule.js'

const NAMES_A_SHELL = /child_?process|promisify|shell|\bcp\b/i

/** Calls of `exec` by any name; of regular expressions and databases, too, before `isCommand` has looked. */
const EXEC = {
  kind: 'call_expression',
  has: { field: 'function', regex: String.raw`^(?:[\w.]+\.)?(?:\w*[eE]xec\w*|run\w*|sh|shell)$` },
} satisfies PatternRule['rule']

/** Programs that JavaScript starts through a shell. */
export const COMMAND_RULES: readonly PatternRule[] = [
  {
    id: 'js/shell-command',
    needs: NAMES_A_SHELL,
    rule: EXEC,
    accepts: (match, text) => isCommand(match, text) && (isBuiltHere(match) || isBuiltBefore(match)),
  },
  {
    id: 'js/command-value',
    needs: NAMES_A_SHELL,
    rule: EXEC,
    accepts: (match, text) => isCommand(match, text) && isUnknown(match, text) && !isBuiltBefore(match),
  },
  {
    id: 'js/shell-option',
    needs: /\bshell\b/,
    rule: anyOf(
      'spawn($C, $A, $O)',
      'spawnSync($C, $A, $O)',
      'execFile($C, $A, $O, $$$)',
      '$M.spawn($C, $A, $O)',
      '$M.spawnSync($C, $A, $O)',
    ),
    accepts: (match) =>
      /\bshell\s*:\s*true\b/.test(match.getMatch('O')?.text() ?? '') &&
      !(isFixed(match.getMatch('C')) && isFixed(match.getMatch('A'))),
  },
]

function isCommand(match: SgNode, text: string): boolean {
  const called = match.field('function')?.text() ?? ''
  const at = called.lastIndexOf('.')
  const name = literally(called.slice(at + 1))
  if (new RegExp(String.raw`\b${name}\s*=\s*(?:util\.)?promisify\(\s*(?:\w+\.)?exec\s*\)`).test(text)) return true
  if (!/^exec(?:Sync)?$/.test(name)) return false
  if (at === -1) return /['"](?:node:)?child_process['"]/.test(text)
  const owner = called.slice(0, at)
  return /child_?process|^cp$|shell/i.test(owner) || isModule(owner, text)
}

function isModule(owner: string, text: string): boolean {
  return new RegExp(String.raw`\b${literally(owner)}\s*(?:=\s*require\(|from)\s*['"](?:node:)?child_process['"]`).test(
    text,
  )
}

/** The first argument, comments aside. */
function commandOf(match: SgNode): SgNode | null {
  return (
    match
      .field('arguments')
      ?.children()
      .find((child) => child.isNamed() && child.kind() !== 'comment') ?? null
  )
}

function isBuiltHere(match: SgNode): boolean {
  const command = commandOf(match)
  return command !== null && valuesIn(command).some((value) => !isHarmless(value))
}

/** What a text is put together from, its fixed parts aside; nothing of what is no such text. */
function valuesIn(node: SgNode): SgNode[] {
  if (node.kind() === 'parenthesized_expression') return node.children().flatMap(valuesIn)
  if (node.kind() === 'template_string') {
    const parts = node.children().filter((child) => child.kind() === 'template_substitution')
    return parts.flatMap((part) => part.children().filter((child) => child.isNamed()))
  }
  if (node.kind() !== 'binary_expression' || !/["'`]/.test(node.text())) return []
  const sides = [node.field('left'), node.field('right')].filter((side): side is SgNode => side !== null)
  return sides.flatMap((side) => (valuesIn(side).length > 0 ? valuesIn(side) : isLiteral(side) ? [] : [side]))
}

function isLiteral(node: SgNode): boolean {
  return (
    /^(?:string|number)$/.test(String(node.kind())) ||
    (node.kind() === 'template_string' && valuesIn(node).length === 0)
  )
}

/** A number, a constant of the program's own, or what went through a function that quotes. */
function isHarmless(value: SgNode): boolean {
  const text = value.text()
  if (/^(?:[A-Z][A-Z0-9_]*|__dirname|__filename|process\.(?:execPath|pid|ppid|version))$/.test(text)) return true
  if (/^(?:[\w.]*(?:quote|escape)\w*|parseInt|parseFloat|Number|Math\.\w+)\(/i.test(text)) return true
  const name = literally(text)
  return new RegExp(
    [
      String.raw`\b${name}\s*=\s*(?:parseInt|parseFloat|Number|Math\.\w+)\(`,
      String.raw`\bis(?:NaN|Integer|SafeInteger|Finite)\(\s*${name}\s*\)`,
      String.raw`typeof\s+${name}\s*[!=]==?\s*['"]number['"]`,
      String.raw`\b${name}\s*\??:\s*number\b`,
    ].join('|'),
  ).test(functionText(value))
}

/** The command is a name that was given a text put together a few lines before. */
function isBuiltBefore(match: SgNode): boolean {
  const command = commandOf(match)
  if (command?.kind() !== 'identifier') return false
  return new RegExp(
    String.raw`\b${literally(command.text())}\s*\+?=\s*(?:[^;\n]*\+\s*[A-Za-z_(]|[^;\n]*\$\{|[^;\n]*\.(?:concat|join)\()`,
  ).test(functionText(match))
}

/** A value from elsewhere: neither text nor a name that stands for fixed text in this file. */
function isUnknown(match: SgNode, text: string): boolean {
  const command = commandOf(match)
  if (command === null || !/^(?:identifier|member_expression|subscript_expression)$/.test(String(command.kind())))
    return false
  const fixed = String.raw`\b${literally(command.text())}\s*=\s*(['"])(?:(?!\1)[^\\\n]|\\.)*\1\s*(?:[;,\n]|$)`
  return !new RegExp(fixed).test(text)
}

function isFixed(node: SgNode | null): boolean {
  if (node === null || isLiteral(node)) return true
  return (
    node.kind() === 'array' &&
    node
      .children()
      .filter((child) => child.isNamed())
      .every(isLiteral)
  )
}
