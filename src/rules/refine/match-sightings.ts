import type { CriticalSighting } from '../../contracts/refine.js'

/**
 * Those of `now` that were among `before`: of one type and file, first by the text of the line (so that they may move with it), then by the
 * line number, then by the nearest line not far off (so that a mended line that is still wrong counts as the same). One earlier
 * sighting stands for one later one.
 */
export function matchSightings(
  before: readonly CriticalSighting[],
  now: readonly CriticalSighting[],
): CriticalSighting[] {
  const left = new Map<string, CriticalSighting[]>()
  for (const sighting of before) left.set(groupOf(sighting), [...(left.get(groupOf(sighting)) ?? []), sighting])
  const found = new Set<CriticalSighting>()
  for (const isSame of WAYS) {
    for (const sighting of now) {
      if (!found.has(sighting) && takeNearest(left.get(groupOf(sighting)) ?? [], sighting, isSame)) found.add(sighting)
    }
  }
  return now.filter((sighting) => found.has(sighting))
}

/** Reviewers spell one type in several ways: 'SQL_INJECTION', 'sql-injection'. */
function groupOf({ type, file }: CriticalSighting): string {
  const plain = type.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')
  return JSON.stringify([plain, file.replace(/^(?:\.\/)+/, '')])
}

type IsSame = (before: CriticalSighting, now: CriticalSighting) => boolean

const WAYS: readonly IsSame[] = [
  (before, now) => before.digest !== null && before.digest === now.digest,
  (before, now) => before.line === now.line,
  (before, now) => distance(before, now) <= NEARBY_LINES,
]

/** About a screen: what a round adds above an issue moves it, and rarely farther. */
const NEARBY_LINES = 20

function distance(before: CriticalSighting, now: CriticalSighting): number {
  return before.line === null || now.line === null ? 0 : Math.abs(before.line - now.line)
}

/** Takes the earlier sighting away, so that it is not matched twice. */
function takeNearest(earlier: CriticalSighting[], sighting: CriticalSighting, isSame: IsSame): boolean {
  const fitting = earlier.filter((each) => isSame(each, sighting))
  const [first, ...others] = fitting
  if (first === undefined) return false
  const nearest = others.reduce(
    (best, each) => (distance(each, sighting) < distance(best, sighting) ? each : best),
    first,
  )
  earlier.splice(earlier.indexOf(nearest), 1)
  return true
}
