import type { ReviewFile } from '../../contracts/review-part.js'
import { plainSpaces } from './quotation-index.js'

/** A finding of a rule in one version of a file. */
export interface RuleHit {
  rule: string
  /** From 1. */
  line: number
}

/**
 * Tells which findings of the version under review the version before has too, so that the change did not bring them: the same rule on the same text
 * (moved or not, each earlier one counted once), or the same rule in the lines that these very ones took the place of (changed, and no better).
 */
export function earlierFindings(file: ReviewFile, after: readonly RuleHit[], before: readonly RuleHit[]): boolean[] {
  const texts = { after: (file.text ?? '').split('\n'), before: (file.before ?? '').split('\n') }
  const left = [...before]
  const blocks = file.hunks.flatMap(blocksOf)
  const isSameText = after.map((hit) => take(left, (old) => keyOf(old, texts.before) === keyOf(hit, texts.after)))
  return after.map((hit, index) => isSameText[index] === true || take(left, (old) => isReplaced(blocks, hit, old)))
}

function keyOf({ rule, line }: RuleHit, lines: readonly string[]): string {
  return `${rule}\n${plainSpaces(lines[line - 1] ?? '')}`
}

function take(left: RuleHit[], fits: (hit: RuleHit) => boolean): boolean {
  const at = left.findIndex(fits)
  if (at === -1) return false
  left.splice(at, 1)
  return true
}

/** Lines that were taken away and those that came in their place; the ends are not included. */
interface Block {
  oldFrom: number
  oldTo: number
  newFrom: number
  newTo: number
}

function isReplaced(blocks: readonly Block[], hit: RuleHit, old: RuleHit): boolean {
  return (
    hit.rule === old.rule &&
    blocks.some(
      ({ oldFrom, oldTo, newFrom, newTo }) =>
        hit.line >= newFrom && hit.line < newTo && old.line >= oldFrom && old.line < oldTo,
    )
  )
}

function blocksOf({ oldStart, oldLines, newStart, newLines, lines }: ReviewFile['hunks'][number]): Block[] {
  const blocks: Block[] = []
  let old = oldLines === 0 ? oldStart + 1 : oldStart
  let next = newLines === 0 ? newStart + 1 : newStart
  let block: Block | null = null
  for (const line of lines) {
    const mark = line[0]
    if (mark === ' ') block = null
    else if (block === null) blocks.push((block = { oldFrom: old, oldTo: old, newFrom: next, newTo: next }))
    if (mark !== '+') old += 1
    if (mark !== '-') next += 1
    if (block !== null) {
      block.oldTo = old
      block.newTo = next
    }
  }
  return blocks
}
