/**
 * Fleiss' kappa: agreement beyond chance of n judges who put each subject into one category. 1 is full agreement, 0 is chance, below 0
 * is less than chance. A row per subject, a count per category; rows add up to the same n.
 * Null when it is not defined: no subject, fewer than two judges, rows of different n, or only one category was ever used.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): number | null {
  const judges = sum(counts[0] ?? [])
  if (judges < 2 || counts.some((row) => sum(row) !== judges)) return null
  const all = counts.length * judges
  const agreement = sum(counts.map((row) => agreeingPairs(row) / (judges * (judges - 1)))) / counts.length
  const columns = (counts[0] ?? []).map((_, category) => sum(counts.map((row) => row[category] ?? 0)))
  if (columns.includes(all)) return null
  const chance = sum(columns.map((column) => (column / all) ** 2))
  return (agreement - chance) / (1 - chance)
}

function agreeingPairs(row: readonly number[]): number {
  return sum(row.map((count) => count * (count - 1)))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The same from what each judge said of each subject, in words. */
export function kappaOfWords(words: readonly (readonly string[])[]): number | null {
  const categories = [...new Set(words.flat())]
  return fleissKappa(words.map((row) => categories.map((category) => row.filter((word) => word === category).length)))
}
