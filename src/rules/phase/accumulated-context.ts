import type { ContextEntry } from '../../contracts/phase-context.js'
import { byteLength } from './byte-length.js'
import { oneLine, renderEntry } from './context-markdown.js'

/**
 * Entries as one text of at most `maxBytes` bytes of UTF-8. What is too much is cut in this order, oldest first each time:
 * decisions become one line, then file changes, then everything else; then the lines themselves go, and their number is said.
 */
export function accumulate(entries: readonly ContextEntry[], maxBytes: number): string {
  const full = entries.map(renderEntry)
  const whole = full.join('\n\n')
  if (byteLength(whole) <= maxBytes) return whole
  const short = entries.map(summarize)
  const isShort = entries.map(() => false)
  let bytes = sum(full.map((text) => byteLength(text) + SEPARATOR))
  for (const index of cuttingOrder(entries)) {
    if (bytes + HEAD <= maxBytes) break
    isShort[index] = true
    bytes += byteLength(short[index] ?? '') + 1 - byteLength(full[index] ?? '') - SEPARATOR
  }
  const lines = short.filter((_, index) => isShort[index])
  const left =
    lines.length - linesThatFit(lines, maxBytes - (bytes - sum(lines.map((line) => byteLength(line) + 1))) - HEAD)
  const kept = full.filter((_, index) => !isShort[index])
  return [...summaryOf(lines, left), ...kept].join('\n\n')
}

const SEPARATOR = 2
/** Room for the summary's heading and the line that says how many entries are left out. */
const HEAD = 80

function summaryOf(lines: readonly string[], left: number): string[] {
  if (lines.length === 0) return []
  const note = left === 0 ? [] : [`- ${left} earlier entries are left out.`]
  return [['## Earlier', ...note, ...lines.slice(left)].join('\n')]
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
