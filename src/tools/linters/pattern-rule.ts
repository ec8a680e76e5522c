import type { NapiConfig, SgNode } from '@ast-grep/napi'

/** A pattern over syntax trees. Its kind (label, severity, words) stands in `rules/review/finding-kinds.ts` under the same id. */
export interface PatternRule {
  id: string
  /** Stands in every text that has a match: compiling the pattern and looking through the tree takes a hundred times as long. */
  needs: RegExp
  rule: NapiConfig['rule']
  constraints?: NapiConfig['constraints']
  /** Whether a match is one, in the text of the whole file: what patterns cannot say. */
  accepts?: (match: SgNode, text: string) => boolean
}

/** Text of a query, not only a word that queries have, too. */
export const IS_QUERY =
  /\bselect\b[\s\S]{1,2000}\bfrom\b|\binsert\s+into\b|\bupdate\b[\s\S]{1,2000}\bset\b|\bdelete\s+from\b|\b(?:drop|alter)\s+\w+\s|\bwhere\b[\s\S]{1,2000}[=<>]/i

/** Any of several patterns. */
export function anyOf(...patterns: string[]): NapiConfig['rule'] {
  return { any: patterns.map((pattern) => ({ pattern })) }
}

/** The nearest function around a node, as text; the whole file where there is none. */
export function functionText(node: SgNode): string {
  const around = node.ancestors().find((each) => /function|method|lambda/.test(String(each.kind())))
  return (around ?? node.getRoot().root()).text()
}

/** True for text that is put together from something that is no literal. */
export function isBuilt(node: SgNode | null): boolean {
  if (node === null) return false
  const kind = String(node.kind())
  if (kind === 'template_string') return node.children().some((child) => child.kind() === 'template_substitution')
  if (kind === 'binary_expression' || kind === 'binary_operator') {
    return node.children().some((child) => isBuilt(child) || isValue(child)) && /["'`]/.test(node.text())
  }
  if (kind === 'string') return node.children().some((child) => child.kind() === 'interpolation')
  return kind === 'call' && /["']\s*\.format$/.test(node.field('function')?.text() ?? '')
}

function isValue(node: SgNode): boolean {
  return /^(?:identifier|call|call_expression|member_expression|attribute|subscript|subscript_expression|tuple)$/.test(
    String(node.kind()),
  )
}

/** A text as a part of a regular expression that matches it and nothing else. */
export function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
