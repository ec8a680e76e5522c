import type { ReviewSuppression } from '../../contracts/review-suppressions.js'

/** Where a project keeps what reviews need not say again. Read from the version before the change. */
export const SUPPRESSIONS_FILE = '.gauntlet-review.json'

export interface Suppressible {
  fingerprint: string
  rule: string | null
  relevantFile: string
}

/** Finds the entry, the first in the file, that covers a finding; null when none does. */
export function suppressionFinder(
  suppressions: readonly ReviewSuppression[],
): (finding: Suppressible) => ReviewSuppression | null {
  const rows = suppressions.map((entry) => ({ entry, covers: coverage(entry) }))
  return (finding) => rows.find(({ covers }) => covers(finding))?.entry ?? null
}

function coverage(entry: ReviewSuppression): (finding: Suppressible) => boolean {
  if ('fingerprint' in entry) return ({ fingerprint }) => fingerprint === entry.fingerprint
  return ({ rule, relevantFile }) => rule === entry.rule && matchesGlob(entry.path, relevantFile)
}

/** `*` and `?` stay within a folder, `**` goes across; everything else stands for itself. Time: pattern times path, at worst. */
export function matchesGlob(glob: string, path: string): boolean {
  const parts = glob.split('/')
  const names = path.split('/')
  // Row by row which first names are matched by the first parts.
  let row = [true, ...names.map(() => false)]
  for (const part of parts) {
    const next = names.map(() => false)
    next.unshift(part === '**' && row[0] === true)
    names.forEach((name, at) => {
      const isHere =
        part === '**' ? row[at + 1] === true || next[at] === true : row[at] === true && matchesName(part, name)
      next[at + 1] = isHere
    })
    row = next
  }
  return row[names.length] === true
}

/** Goes back to the last star only, so that no pattern is slow. */
function matchesName(pattern: string, name: string): boolean {
  let [at, mark, star, from] = [0, 0, -1, 0]
  while (at < name.length) {
    const wanted = pattern[mark]
    if (wanted === '*') {
      star = mark
      from = at
      mark += 1
    } else if (wanted === '?' || wanted === name[at]) {
      mark += 1
      at += 1
    } else if (star >= 0) {
      mark = star + 1
      from += 1
      at = from
    } else return false
  }
  return /^\**$/.test(pattern.slice(mark))
}
