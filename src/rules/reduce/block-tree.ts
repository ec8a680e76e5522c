import type { LineLevel } from './line-levels.js'

/**
 * A line with what stands deeper below it and the line that closes it: [from, to); its body without these: [bodyFrom, bodyTo).
 * A further branch (`} else {` and its body) is the last child of what it belongs to, and can go by itself.
 */
export interface Block {
  from: number
  to: number
  bodyFrom: number
  bodyTo: number
  children: Block[]
}

/** The blocks of a text, in order; together they hold every line exactly once. */
export function blockTree(levels: readonly LineLevel[], from = 0, to = levels.length): Block[] {
  const blocks: Block[] = []
  for (let line = from; line < to;) {
    const block = blockAt(levels, line, to)
    blocks.push(block)
    line = block.to
  }
  return blocks
}

/** Every block, outer before inner ones, level by level. */
export function allBlocks(roots: readonly Block[]): Block[] {
  const found = [...roots]
  for (let index = 0; index < found.length; index += 1) found.push(...(found[index]?.children ?? []))
  return found
}

/** Lists of neighbours of one parent, the outermost first. */
export function siblingLists(roots: readonly Block[]): (readonly Block[])[] {
  const inner = allBlocks(roots).map((block) => block.children)
  return [roots, ...inner].filter((list) => list.length > 0)
}

function blockAt(levels: readonly LineLevel[], from: number, limit: number): Block {
  const level = levels[from]?.level ?? 0
  let end = endOfBody(levels, from, limit)
  const children = blockTree(levels, from + 1, end)
  while (standsAt(levels, end, { level, limit })?.isContinuation === true) {
    const branch = { from: end, bodyFrom: end + 1, bodyTo: endOfBody(levels, end, limit) }
    children.push({ ...branch, to: branch.bodyTo, children: blockTree(levels, branch.bodyFrom, branch.bodyTo) })
    end = branch.bodyTo
  }
  const hasTail = end > from + 1 && standsAt(levels, end, { level, limit })?.isCloser === true
  return { from, to: hasTail ? end + 1 : end, bodyFrom: from + 1, bodyTo: end, children }
}

function standsAt(
  levels: readonly LineLevel[],
  line: number,
  { level, limit }: { level: number; limit: number },
): LineLevel | null {
  const found = line < limit ? levels[line] : undefined
  return found?.level === level ? found : null
}

/** The lines that stand deeper than the line `from`. */
function endOfBody(levels: readonly LineLevel[], from: number, limit: number): number {
  const level = levels[from]?.level ?? 0
  let end = from + 1
  while (end < limit && (levels[end]?.level ?? 0) > level) end += 1
  return end
}
