import type { SourceLanguage } from '../../contracts/circt.js'
import type { Block } from './block-tree.js'
import { allBlocks, blockTree } from './block-tree.js'
import { definedNames, mentionedNames } from './defined-names.js'
import { lineLevels, tokenLines } from './line-levels.js'

/** A source as lines, with its blocks and the names that each line defines and mentions. */
export interface Outline {
  lines: readonly string[]
  roots: readonly Block[]
  defined: readonly (readonly string[])[]
  mentioned: readonly ReadonlySet<string>[]
}

export function outlineOf(text: string, language: SourceLanguage): Outline {
  const tokens = tokenLines(text, language)
  return {
    lines: text.split('\n'),
    roots: blockTree(lineLevels(text, language)),
    defined: tokens.map((line) => definedNames(line, language)),
    mentioned: tokens.map((line) => mentionedNames(line, language)),
  }
}

/** The text without the lines in `removed`, and without the commas that this leaves before a closing bracket. */
export function withoutLines(lines: readonly string[], removed: ReadonlySet<number>): string {
  const kept = lines.filter((_line, index) => !removed.has(index)).join('\n')
  return withoutLooseCommas(kept)
}

export function withoutLooseCommas(text: string): string {
  return text.replace(/,(\s*[)\]}])/gu, '$1')
}

/** The lines from `from` up to `to`. */
export function lineRange(from: number, to: number): Set<number> {
  return new Set(Array.from({ length: Math.max(0, to - from) }, (_value, index) => from + index))
}

/**
 * The lines of `block`, and of every block that mentions a name defined in the first line of a removed one, and so on.
 * A name counts within the parent of the block that defines it.
 */
export function linesWithUses(outline: Outline, block: Block): Set<number> {
  const removed = new Set<number>()
  const queue = [block]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const names = outline.defined[next.from] ?? []
    lineRange(next.from, next.to).forEach((line) => removed.add(line))
    if (names.length > 0) queue.push(...usersOf(outline, { names, block: next }, removed))
  }
  return removed
}

/** Blocks whose first line mentions one of `names`, in the scope of `block`, that are still there. */
function usersOf(
  outline: Outline,
  definition: { names: readonly string[]; block: Block },
  removed: ReadonlySet<number>,
): Block[] {
  const scope = parentOf(outline.roots, definition.block)
  return allBlocks(scope === null ? outline.roots : scope.children).filter(
    (block) =>
      !removed.has(block.from) && definition.names.some((name) => outline.mentioned[block.from]?.has(name) === true),
  )
}

function parentOf(roots: readonly Block[], block: Block): Block | null {
  const parent = roots.find((root) => root.from < block.from && block.to <= root.to)
  if (parent === undefined) return null
  return parent.children.some((child) => child.from === block.from) ? parent : parentOf(parent.children, block)
}
