import type { Cursor, Pass } from './candidate.js'
import { removals } from './candidate.js'
import { lineRange, withoutLooseCommas } from './outline.js'

/** Takes runs of lines away, whatever they mean: halves, quarters, … single lines. */
export const removeLines: Pass = {
  name: 'lines',
  candidates: (text, _language, from) => lineRemovals(text, from),
}

/** Takes single lines away. When a sweep of this takes nothing, the text is 1-minimal by line. */
export const removeSingleLines: Pass = {
  name: 'single lines',
  candidates: (text, _language, from) => lineRemovals(text, from.length === 0 ? [1] : from),
}

function* lineRemovals(text: string, from: Cursor) {
  const lines = text.split('\n')
  for (const removal of removals(lines.length, from)) {
    const removed = lineRange(removal.from, removal.to)
    if (removal.to - removal.from === 1 && lines[removal.from]?.trim() === '') continue
    const plain = lines.filter((_line, index) => !removed.has(index)).join('\n')
    const tidy = withoutLooseCommas(plain)
    if (tidy !== plain) yield { text: tidy, next: removal.next }
    yield { text: plain, next: removal.next }
  }
}
