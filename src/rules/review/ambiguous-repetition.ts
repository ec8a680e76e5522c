/** A group of plain texts that is repeated without an end: `(\r\n|\r|\n)+`. No classes, no groups within. */
const REPEATED =
  /\((?:\?:|\?P?<\w+>)?((?:\\[^\n]|[^()\\[\]|*+?{}.^$\n])+(?:\|(?:\\[^\n]|[^()\\[\]|*+?{}.^$\n])+)+)\)(?:[+*]|\{\d+,\})\??/g

/** What may follow and never fails: ends of groups, and what may be left out. */
const NEVER_FAILS = /^(?:\)|(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\])*\]|[^\\()[\]|])[*?]\??)*/

/**
 * Finds a repetition in a regular expression that reads some text in two ways. Twice that text can be read in four, and so on: when what follows does
 * not fit, an engine that goes back tries them all. Null where there is none, or nothing behind it can fail.
 */
export function ambiguousRepetition(pattern: string): string | null {
  for (const { 0: whole, 1: inner = '', index } of pattern.matchAll(REPEATED)) {
    const rest = pattern.slice(index + whole.length).replace(NEVER_FAILS, '')
    const words = inner.split(/(?<!\\)\|/).map(plainText)
    if (rest === '' || rest.startsWith('|') || words.includes(null)) continue
    if (isAmbiguous(words.filter((word) => word !== null))) return whole
  }
  return null
}

const ESCAPES: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', f: '\f', v: '\v' }

/** Null where an escape stands for more than one character. */
function plainText(source: string): string | null {
  if (/\\[a-zA-Z0-9]/.test(source.replaceAll(/\\[rntfv]/g, ''))) return null
  return source.replaceAll(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter)
}

/** Sardinas and Patterson: whether some text is put together from the words in two ways. */
function isAmbiguous(words: readonly string[]): boolean {
  if (new Set(words).size < words.length) return true
  const left = words.flatMap((word) => remainders(word, words)).filter((rest) => rest !== '')
  const seen = new Set<string>()
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (words.includes(next)) return true
    if (seen.has(next)) continue
    seen.add(next)
    left.push(...remainders(next, words), ...words.flatMap((word) => remainders(word, [next ?? ''])))
  }
  return false
}

/** What of the longer ones is left behind a text that they begin with. */
function remainders(text: string, longer: readonly string[]): string[] {
  return longer.filter((word) => word.startsWith(text) && word !== text).map((word) => word.slice(text.length))
}
