import type { ReviewHunk } from '../../contracts/review-part.js'

export interface CutHunks {
  /** Hunks of at most so many characters together, in order. */
  shares: ReviewHunk[][]
  /** Lines, of the version under review, that are longer than a share. */
  tooLong: number[]
}

/** What the head of a hunk takes. */
const headLength = 60

export function lengthOf(hunks: readonly ReviewHunk[]): number {
  return hunks.reduce((sum, { lines }) => sum + headLength + lines.reduce((all, line) => all + line.length + 1, 0), 0)
}

/** Puts hunks into shares of at most `most` characters; hunks that are larger are cut between lines. */
export function cutHunks(hunks: readonly ReviewHunk[], most: number): CutHunks {
  const cut: CutHunks = { shares: [], tooLong: [] }
  let room = 0
  for (const hunk of hunks) {
    const pieces = lengthOf([hunk]) <= most ? [hunk] : piecesOf(hunk, most, cut.tooLong)
    for (const piece of pieces) {
      const length = lengthOf([piece])
      if (cut.shares.length === 0 || length > room) {
        cut.shares.push([])
        room = most
      }
      cut.shares.at(-1)?.push(piece)
      room -= length
    }
  }
  return cut
}

/** A text as one hunk of lines that nothing happened to. */
export function hunksOfText(text: string): ReviewHunk[] {
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ` ${line}`)
  return [
    {
      oldStart: 1,
      newStart: 1,
      oldLines: lines.length,
      newLines: lines.length,
      section: '',
      lines,
      isOldUnended: false,
      isNewUnended: false,
    },
  ]
}

function piecesOf(hunk: ReviewHunk, most: number, tooLong: number[]): ReviewHunk[] {
  const pieces: ReviewHunk[] = []
  let piece = pieceAt(hunk, firstLine(hunk.oldStart, hunk.oldLines), firstLine(hunk.newStart, hunk.newLines))
  let room = most - headLength
  const close = () => {
    if (piece.lines.length > 0) pieces.push(piece)
    piece = pieceAt(hunk, piece.oldStart + piece.oldLines, piece.newStart + piece.newLines)
    room = most - headLength
  }
  for (const line of hunk.lines) {
    if (line.length + 1 > most - headLength) {
      close()
      tooLong.push(piece.newStart)
      piece = pieceAt(hunk, piece.oldStart + (line[0] === '+' ? 0 : 1), piece.newStart + (line[0] === '-' ? 0 : 1))
      continue
    }
    if (line.length + 1 > room) close()
    piece.lines.push(line)
    piece.oldLines += line[0] === '+' ? 0 : 1
    piece.newLines += line[0] === '-' ? 0 : 1
    room -= line.length + 1
  }
  close()
  return pieces.map(asWritten)
}

function pieceAt({ section }: ReviewHunk, oldStart: number, newStart: number): ReviewHunk {
  return { oldStart, newStart, oldLines: 0, newLines: 0, section, lines: [], isOldUnended: false, isNewUnended: false }
}

/** Where a side has no lines, a diff numbers the line before. */
function firstLine(start: number, lines: number): number {
  return lines === 0 ? start + 1 : start
}

function asWritten(piece: ReviewHunk): ReviewHunk {
  const { oldStart, oldLines, newStart, newLines } = piece
  return {
    ...piece,
    oldStart: oldLines === 0 ? oldStart - 1 : oldStart,
    newStart: newLines === 0 ? newStart - 1 : newStart,
  }
}
