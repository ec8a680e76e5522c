import type { ReviewFile } from '../../contracts/review-part.js'
import type { LeftOut } from '../../contracts/review-report.js'
import { cutHunks, hunksOfText, lengthOf } from './cut-hunks.js'

export interface SplitReview {
  /** The files of each part; a file that is cut is in several, with a share of its hunks in each. */
  parts: ReviewFile[][]
  left_out: LeftOut[]
}

/** A token is some four characters; the name of a file and the head of a hunk cost a few. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Pipelines.md, review 6: cuts big input by file, a big file by hunk, a big hunk by line, into parts of at most `mostTokens`, in the order of the files.
 * Only a line that is longer than a part by itself is left out, and said.
 */
export function splitReview(files: readonly ReviewFile[], mostTokens: number): SplitReview {
  const most = mostTokens * CHARACTERS_PER_TOKEN
  const split: SplitReview = { parts: [], left_out: [] }
  let room = 0
  for (const file of files) {
    for (const piece of piecesOf(file, most, split.left_out)) {
      const size = sizeOf(piece)
      if (split.parts.length === 0 || size > room) {
        split.parts.push([])
        room = most
      }
      split.parts.at(-1)?.push(piece)
      room -= size
    }
  }
  return split
}

/** Characters that a part shows of a file. */
function sizeOf({ path, status, hunks, text }: ReviewFile): number {
  const shown = status === 'given' && hunks.length === 0 ? (text?.length ?? 0) : lengthOf(hunks)
  return shown + path.length + overhead
}

const overhead = 80

function piecesOf(file: ReviewFile, most: number, leftOut: LeftOut[]): ReviewFile[] {
  if (sizeOf(file) <= most) return [file]
  const hunks = file.hunks.length > 0 ? file.hunks : hunksOfText(file.text ?? '')
  const { shares, tooLong } = cutHunks(hunks, most - file.path.length - overhead)
  for (const line of tooLong) {
    leftOut.push({ path: file.path, reason: `line ${line} is too long for a part of ${most} characters` })
  }
  return shares.map((share) => ({ ...file, hunks: share }))
}
