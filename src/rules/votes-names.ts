const SHOWN = 5

/** '"A", "B"', or the first five 'and 3 more'. */
export function listNames(names: readonly string[]): string {
  return listFew(names, (name) => JSON.stringify(name))
}

/** The first five, so that a line stays a line and n lines of this grow no faster than n. */
export function listFew<T>(items: readonly T[], show: (item: T) => string): string {
  const shown = items.slice(0, SHOWN).map(show).join(', ')
  return items.length > SHOWN ? `${shown} and ${items.length - SHOWN} more` : shown
}

/** '1 vote', '2 votes' */
export function countedVotes(count: number): string {
  return `${count} vote${count === 1 ? '' : 's'}`
}

/** A weight without the noise of its last binary digits. */
export function showWeight(weight: number): string {
  return String(Math.round(weight * 1e9) / 1e9)
}
