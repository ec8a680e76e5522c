import type { ContextEntry } from '../../contracts/phase-context.js'
import { byteLength } from './byte-length.js'

/** Of a task's own entries as JSON: they travel with it, and a hundred tasks share one history. */
const MAX_BYTES = 12_000
/** What goes first when it becomes too much. */
const ORDER: readonly ContextEntry['kind'][] = ['file_change', 'suggestion', 'decision', 'complete', 'accept_complete']

/** The entries a task keeps, in their order: files before suggestions before decisions go, the oldest first. */
export function boundEntries(entries: readonly ContextEntry[]): ContextEntry[] {
  const sizes = entries.map((entry) => byteLength(JSON.stringify(entry)))
  let bytes = sizes.reduce((total, size) => total + size, 0)
  const gone = new Set<number>()
  for (const kind of ORDER)
    for (const [index, entry] of entries.entries()) {
      if (bytes <= MAX_BYTES) return entries.filter((_, place) => !gone.has(place))
      if (entry.kind !== kind) continue
      gone.add(index)
      bytes -= sizes[index] ?? 0
    }
  return entries.filter((_, place) => !gone.has(place))
}
