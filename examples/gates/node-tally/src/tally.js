/** Counts how often each name occurs. */
export function tally(names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

/** The name that occurs most, or null when nothing does, or when several do. */
export function winner(names) {
  const ranked = [...tally(names)].sort((a, b) => b[1] - a[1])
  if (ranked.length === 0) return null
  return ranked.length > 1 && ranked[0][1] === ranked[1][1] ? null : ranked[0][0]
}
