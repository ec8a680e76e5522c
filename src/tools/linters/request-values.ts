import type { SgNode } from '@ast-grep/napi'
import { functionText, literally } from './pattern-rule.js'

/** How a language's web frameworks name the parts of a request that a stranger decides, and how a name is given one. */
export interface RequestWords {
  part: RegExp
  /** A name that is given a part of the request: the first group is the name, or names in braces. */
  assigned: RegExp
}

const JAVASCRIPT_PART = String.raw`\b(?:req|request|ctx|event)\.(?:query|params|body|headers|cookies|url|queryStringParameters)\b`
const PYTHON_PART = String.raw`\brequest\.(?:args|form|values|json|get_json|GET|POST|files|data|cookies|headers|query_params)\b`

export const JAVASCRIPT_REQUEST: RequestWords = {
  part: new RegExp(JAVASCRIPT_PART),
  assigned: new RegExp(String.raw`\b(?:const|let|var)\s+(\w+|\{[^}]*\})\s*=\s*${JAVASCRIPT_PART}`, 'g'),
}

export const PYTHON_REQUEST: RequestWords = {
  part: new RegExp(PYTHON_PART),
  assigned: new RegExp(String.raw`^[ \t]*(\w+)[ \t]*=[ \t]*${PYTHON_PART}`, 'gm'),
}

/** True when a node holds a part of the request, or a name that was given one in the same function. */
export function holdsRequest(node: SgNode, words: RequestWords): boolean {
  return new RegExp(alternatives(node, words)).test(node.text())
}

/** True when the text of a node begins with such a value, so that it decides the whole: of an address, the host. */
export function beginsWithRequest(node: SgNode | null, words: RequestWords): boolean {
  if (node === null) return false
  const begin = new RegExp(String.raw`^(?:f?["'\x60]\$?\{\s*|String\(|str\(|\(|\+)*(?:${alternatives(node, words)})`)
  return begin.test(node.text())
}

function alternatives(node: SgNode, { part, assigned }: RequestWords): string {
  const names = [...functionText(node).matchAll(assigned)].flatMap((found) => namesIn(found[1] ?? ''))
  return [part.source, ...names.map((name) => String.raw`(?<![.\w'"])${literally(name)}\b(?!['":])`)].join('|')
}

/** `{ a, b: c = 1 }` names a and c. */
function namesIn(text: string): string[] {
  if (!text.startsWith('{')) return [text]
  return text
    .slice(1, -1)
    .split(',')
    .map((each) => /(\w+)\s*(?:=.*)?$/.exec(each.trim())?.[1] ?? '')
    .filter((name) => name !== '')
}
