import { allBlocks } from './block-tree.js'
import type { Pass } from './candidate.js'
import { linesWithUses, outlineOf, withoutLines } from './outline.js'

/** Takes a definition away together with everything that uses it, and what uses that; the last definition first. */
export const removeNames: Pass = {
  name: 'names with their uses',
  *candidates(text, language, from) {
    const outline = outlineOf(text, language)
    const blocks = allBlocks(outline.roots)
      .filter((block) => (outline.defined[block.from] ?? []).length > 0)
      .sort((one, other) => other.from - one.from)
    const start = from[0] ?? Number.POSITIVE_INFINITY
    for (const block of blocks) {
      if (block.from > start) continue
      yield { text: withoutLines(outline.lines, linesWithUses(outline, block)), next: [block.from - 1] }
    }
  },
}

/** Takes every line away that mentions a name, wherever it stands: for names that scopes and definitions do not explain. */
export const removeMentions: Pass = {
  name: 'mentions',
  *candidates(text, language, from) {
    const { lines, mentioned } = outlineOf(text, language)
    const names = mentionCounts(mentioned)
    for (let index = from[0] ?? 0; index < names.length; index += 1) {
      const name = names[index] ?? ''
      const removed = new Set([...lines.keys()].filter((line) => mentioned[line]?.has(name) === true))
      yield { text: withoutLines(lines, removed), next: [index] }
    }
  },
}

/** Names on at least two lines, those on the most lines first; ties by name, so that the order depends on the text alone. */
function mentionCounts(mentioned: readonly ReadonlySet<string>[]): string[] {
  const counts = new Map<string, number>()
  for (const name of mentioned.flatMap((names) => [...names])) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Array.from(counts)
    .filter(([, count]) => count > 1)
    .sort(([one, ofOne], [other, ofOther]) => ofOther - ofOne || (one < other ? -1 : 1))
    .map(([name]) => name)
}
