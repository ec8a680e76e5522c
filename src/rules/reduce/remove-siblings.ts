import { siblingLists } from './block-tree.js'
import type { Cursor, Pass } from './candidate.js'
import { removals } from './candidate.js'
import { lineRange, outlineOf, withoutLines } from './outline.js'

/** Takes neighbours of one parent away: runs of blocks and lines, long runs first, the outermost parents first. */
export const removeSiblings: Pass = {
  name: 'neighbours',
  *candidates(text, language, from) {
    const outline = outlineOf(text, language)
    const lists = siblingLists(outline.roots)
    for (let index = from[0] ?? 0; index < lists.length; index += 1) {
      const list = lists[index] ?? []
      for (const removal of removals(list.length, cursorIn(from, index))) {
        const removed = lineRange(list[removal.from]?.from ?? 0, list[removal.to - 1]?.to ?? 0)
        yield { text: withoutLines(outline.lines, removed), next: [index, ...removal.next] }
      }
    }
  },
}

/** The rest of the cursor, for the list that it stands in; the beginning, for any other. */
export function cursorIn(from: Cursor, index: number): Cursor {
  return from[0] === index ? from.slice(1) : []
}
