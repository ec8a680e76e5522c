import type { Block } from './block-tree.js'
import { allBlocks } from './block-tree.js'
import { bracketGroups } from './bracket-groups.js'
import type { Pass } from './candidate.js'
import { removals } from './candidate.js'
import type { Outline } from './outline.js'
import { outlineOf } from './outline.js'
import { cursorIn } from './remove-siblings.js'
import { joinTokens, tokenise } from './tokens.js'

/**
 * MLIR says the same list twice: `hw.output %a, %b : i1, i1`, and a third time as the `out` ports (or `-> (i1, i1)`) of the block that it ends.
 * Takes operands with their types, and with the results of the block's head.
 */
export const matchOperands: Pass = {
  name: 'operands with their types',
  *candidates(text, language, from) {
    if (language !== 'mlir') return
    const outline = outlineOf(text, language)
    const blocks = allBlocks(outline.roots)
    for (let index = from[0] ?? 0; index < outline.lines.length; index += 1) {
      const lists = typedOperands(outline.lines[index] ?? '')
      if (lists === null) continue
      const owner = blocks.find((block) => block.bodyTo === index + 1 && block.to > block.bodyTo)
      for (const removal of removals(lists.operands.length, cursorIn(from, index))) {
        const next = [index, ...removal.next]
        const line = printed(lists, removal)
        if (owner !== undefined) yield { text: withHead(outline, { owner, index, line, removal }), next }
        yield { text: outline.lines.with(index, line).join('\n'), next }
      }
    }
  },
}

interface TypedOperands {
  head: string
  operands: string[]
  types: string[]
}

interface Range {
  from: number
  to: number
}

/** `%0 = comb.concat %a, %b : i1, i1` in its parts; null unless there are as many types as operands, in plain lists. */
function typedOperands(line: string): TypedOperands | null {
  if (line.length > MAX_LINE) return null
  const [, head = '', operands = '', types = ''] =
    /^([^:]*?)(%[\w$.#-]+(?:, %[\w$.#-]+)*) : ([^(){}]+)$/u.exec(line) ?? []
  const parts = { head, operands: operands.split(', '), types: topLevelItems(types) }
  return operands !== '' && parts.types.length === parts.operands.length ? parts : null
}

/** Longer lines are left to other passes: the patterns here take time that grows with the square of the length. */
const MAX_LINE = 4000

/** Split at the commas that are not in `<…>`. */
function topLevelItems(list: string): string[] {
  const tokens = tokenise(`<${list}>`, 'mlir')
  const group = bracketGroups(tokens, 'mlir').find((found) => found.open === 0)
  return (group?.items ?? []).map((item) => joinTokens(tokens.slice(item.from, item.to)).trim())
}

function printed({ head, operands, types }: TypedOperands, removal: Range): string {
  const left = kept(operands, removal)
  return left.length === 0 ? head.trimEnd() : `${head}${left.join(', ')} : ${kept(types, removal).join(', ')}`
}

function kept(list: readonly string[], removal: Range): string[] {
  return list.filter((_item, index) => index < removal.from || index >= removal.to)
}

function withHead(
  { lines }: Outline,
  { owner, index, line, removal }: { owner: Block; index: number; line: string; removal: Range },
): string {
  const head = withoutResults(lines[owner.from] ?? '', removal)
  return lines.with(index, line).with(owner.from, head).join('\n')
}

/** The head of a module without its results [from, to): `out` ports, or the types after `->`. */
function withoutResults(head: string, removal: Range): string {
  if (head.length > MAX_LINE) return head
  const arrow = /^(?<start>.*) -> (?:\((?<list>[^()]*)\)|(?<one>[^\s(){}]+))(?<end> *(?:attributes .*)?\{)$/u.exec(head)
  if (arrow !== null) {
    const { start = '', list, one = '', end = '' } = arrow.groups ?? {}
    const left = kept(topLevelItems(list ?? one), removal)
    return left.length === 0 ? `${start}${end}` : `${start} -> (${left.join(', ')})${end}`
  }
  const tokens = tokenise(head, 'mlir')
  const ports = bracketGroups(tokens, 'mlir').find((group) => tokens[group.open]?.text === '(')
  if (ports === undefined) return head
  const items = ports.items.map((item) => joinTokens(tokens.slice(item.from, item.to)).trim())
  const outs = items.flatMap((item, index) => (item.startsWith('out ') ? [index] : []))
  const gone = new Set(outs.slice(removal.from, removal.to))
  const left = items.filter((_item, index) => !gone.has(index)).join(', ')
  return joinTokens(tokens.slice(0, ports.open + 1)) + left + joinTokens(tokens.slice(ports.close))
}
