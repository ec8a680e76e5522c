import type { ReviewFile } from '../../contracts/review-part.js'

/** Which lines of the version under review a finding may be about. */
export interface TouchedLines {
  /**
   * The line between `first` and `last` that the change touched: the first added one, else the first right beside a deletion; null when there
   * is none. Takes the logarithm of the number of changes.
   */
  within(first: number, last: number): number | null
}

/** All lines of a file that is reviewed as it stands; of a diff the added ones, and those right beside a deletion. */
export function touchedLines({ status, hunks }: Pick<ReviewFile, 'status' | 'hunks'>): TouchedLines {
  if (status === 'given') return { within: (first, last) => firstShown(hunks, first, last) }
  const { added, beside } = changesOf(hunks)
  return { within: (first, last) => firstWithin(added, first, last) ?? firstWithin(beside, first, last) }
}

/** A file that is cut into several parts has its share of it as a hunk; one that is not has none. */
function firstShown(hunks: ReviewFile['hunks'], first: number, last: number): number | null {
  if (hunks.length === 0) return first
  const share = hunks.find(({ newStart, newLines }) => newStart <= last && newStart + newLines > first)
  return share === undefined ? null : Math.max(first, share.newStart)
}

interface Changes {
  /** Line numbers, ascending. */
  added: number[]
  beside: number[]
}

function changesOf(hunks: ReviewFile['hunks']): Changes {
  const changes: Changes = { added: [], beside: [] }
  for (const hunk of hunks) noteChanges(changes, hunk)
  return changes
}

/** Beside a deletion is the nearest line with text on either side: an empty one cannot be quoted. */
function noteChanges({ added, beside }: Changes, { newStart, newLines, lines }: ReviewFile['hunks'][number]): void {
  // Where a side has no lines, the number is that of the line before.
  let next = newLines === 0 ? newStart + 1 : newStart
  let before = next - 1
  let isBehind = false
  for (const line of lines) {
    if (line[0] === '-') {
      if (before > 0) pushOnce(beside, before)
      isBehind = true
      continue
    }
    const hasText = line.slice(1).trim() !== ''
    if (isBehind) pushOnce(beside, next)
    if (hasText) isBehind = false
    if (line[0] === '+') added.push(next)
    if (hasText) before = next
    next += 1
  }
  if (isBehind) pushOnce(beside, next)
}

function pushOnce(ascending: number[], number: number): void {
  if ((ascending.at(-1) ?? 0) < number) ascending.push(number)
}

/** The smallest number from `first` to `last` in an ascending list. */
function firstWithin(ascending: readonly number[], first: number, last: number): number | null {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < first) low = middle + 1
    else high = middle
  }
  const found = ascending[low]
  return found !== undefined && found <= last ? found : null
}
