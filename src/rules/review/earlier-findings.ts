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
 * (moved or not, each earlier one counted once), or the same rule in what the very same hunk took away (a line that was changed and is no better).
 */
export function earlierFindings(file: ReviewFile, after: readonly RuleHit[], before: readonly RuleHit[]): boolean[] {
  const texts = { after: (file.text ?? '').split('\n'), before: (file.before ?? '').split('\n') }
  const left = [...before]
  const isSameText = after.map((hit) => take(left, (old) => keyOf(old, texts.before) === keyOf(hit, texts.after)))
  return after.map((hit, index) => isSameText[index] === true || take(left, (old) => isReplaced(file, hit, old)))
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

function isReplaced({ hunks }: ReviewFile, hit: RuleHit, old: RuleHit): boolean {
  return (
    hit.rule === old.rule &&
    hunks.some(
      ({ newStart, newLines, oldStart, oldLines }) =>
        hit.line >= newStart &&
        hit.line < newStart + newLines &&
        old.line >= oldStart &&
        old.line < oldStart + oldLines,
    )
  )
}
