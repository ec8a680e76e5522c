import type { Block } from './block-tree.js'
import { allBlocks } from './block-tree.js'
import type { Pass } from './candidate.js'
import type { Outline } from './outline.js'
import { linesWithUses, lineRange, outlineOf, withoutLines } from './outline.js'

/**
 * Takes whole blocks away, the biggest first: the block, the block with everything that uses its names, its body alone, its head and
 * body (an `else` branch, whose closing line belongs to the `if`), or its head and closing line (the body stays, unwrapped).
 */
export const removeBlocks: Pass = {
  name: 'blocks',
  *candidates(text, language, from) {
    const outline = outlineOf(text, language)
    const blocks = allBlocks(outline.roots)
      .filter((block) => block.to - block.from > 1)
      .sort((one, other) => other.to - other.from - (one.to - one.from) || other.from - one.from)
    for (let index = from[0] ?? 0; index < blocks.length; index += 1) {
      const block = blocks[index]
      if (block === undefined) continue
      for (const removed of waysToRemove(outline, block)) {
        yield { text: withoutLines(outline.lines, removed), next: [index] }
      }
    }
  },
}

function* waysToRemove(outline: Outline, block: Block): Generator<Set<number>> {
  const whole = lineRange(block.from, block.to)
  yield whole
  const closure = linesWithUses(outline, block)
  if (closure.size > whole.size) yield closure
  yield lineRange(block.bodyFrom, block.bodyTo)
  if (block.bodyTo < block.to) yield lineRange(block.from, block.bodyTo)
  yield new Set([block.from, ...lineRange(block.bodyTo, block.to)])
}
