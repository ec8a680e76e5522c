import type { ContextEntry } from '../../contracts/phase-context.js'
import { byteLength } from './byte-length.js'
import { oneLine, renderEntry } from './context-markdown.js'

/**
 * Entries as one text of at most `maxBytes` bytes of UTF-8. What is too much is cut in this order, oldest first each time:
 * decisions become one line, then file changes, then everything else; then the lines themselves go, and their number is said.
 */
export function accumulate(all: readonly ContextEntry[], maxBytes: number): string {
  // Older ones than these would not fit as lines either.
  const entries = all.slice(-Math.ceil(maxBytes / SHORTEST_LINE))
  const full = entries.map(renderEntry)
  const sizes = full.map((text) => byteLength(text) + SEPARATOR)
  if (entries.length === all.length && sum(sizes) - SEPARATOR <= maxBytes) return full.join('\n\n')
  const short = entries.map(summarize)
  const shortSizes = short.map((line) => byteLength(line) + 1)
  const shortened = chooseShort(entries, { sizes, shortSizes, maxBytes: maxBytes - HEAD })
  const kept = full.filter((_, index) => !shortened.has(index))
  const room = maxBytes - HEAD - sum(sizes.filter((_, index) => !shortened.has(index)))
  const lines = short.filter((_, index) => shortened.has(index))
  const fitting = linesThatFit(lines, room)
  const left = all.length - entries.length + lines.length - fitting
  return [...summaryOf(lines.slice(lines.length - fitting), left), ...kept].join('\n\n')
}

/** '- TASK-001 [coder] x' and its line break. */
const SHORTEST_LINE = 20

interface Sizes {
  sizes: readonly number[]
  shortSizes: readonly number[]
  maxBytes: number
}

/** Which entries become one line, by their place. */
function chooseShort(entries: readonly ContextEntry[], { sizes, shortSizes, maxBytes }: Sizes): Set<number> {
  const shortened = new Set<number>()
  let bytes = sum(sizes)
  for (const index of cuttingOrder(entries)) {
    if (bytes <= maxBytes) break
    shortened.add(index)
    bytes += (shortSizes[index] ?? 0) - (sizes[index] ?? 0)
  }
  return shortened
}

const SEPARATOR = 2
/** Room for the summary's heading and the line that says how many entries are left out. */
const HEAD = 80

function summaryOf(lines: readonly string[], left: number): string[] {
  if (lines.length === 0 && left === 0) return []
  const note = left === 0 ? [] : [`- ${left} earlier entries are left out.`]
  return [['## Earlier', ...note, ...lines].join('\n')]
}

/** The newest lines stay. */
function linesThatFit(lines: readonly string[], maxBytes: number): number {
  let bytes = 0
  let count = 0
  for (const line of lines.toReversed()) {
    bytes += byteLength(line) + 1
    if (bytes > maxBytes) return count
    count += 1
  }
  return count
}

const ORDER: readonly ContextEntry['kind'][][] = [
  ['decision'],
  ['file_change'],
  ['suggestion', 'complete', 'accept_complete'],
]

function cuttingOrder(entries: readonly ContextEntry[]): number[] {
  return ORDER.flatMap((kinds) => entries.flatMap(({ kind }, index) => (kinds.includes(kind) ? [index] : [])))
}

function summarize(entry: ContextEntry): string {
  return `- ${entry.task} [${entry.agent}] ${cut(oneLine(SAID[entry.kind](entry as never)))}`
}

const SAID: { [K in ContextEntry['kind']]: (entry: Extract<ContextEntry, { kind: K }>) => string } = {
  decision: ({ description }) => description,
  file_change: ({ action, file }) => `${action} ${file}`,
  suggestion: ({ suggestion }) => suggestion,
  complete: ({ phase, lines }) => `${phase}: ${lines.join(', ')}`,
  accept_complete: ({ score, approved }) => `${approved ? 'approved' : 'not approved'}, ${score}/10`,
}

function cut(text: string): string {
  const letters = Array.from(text)
  return letters.length > 120 ? `${letters.slice(0, 119).join('')}…` : text
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
