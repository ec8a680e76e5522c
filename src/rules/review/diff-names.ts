/** The two names of a `diff --git` line; null where they cannot be told apart, as when a file was renamed (other lines tell then). */
export interface TwoNames {
  oldName: string | null
  newName: string | null
  /** True when names carry git's one-letter prefixes (`a/`, `b/`), which are no part of the path. */
  hasPrefixes: boolean
}

export function twoNames(rest: string): TwoNames {
  const [left, right] = rest.includes('"') ? splitQuoted(rest) : splitInHalf(rest)
  if (left === null || right === null) return { oldName: null, newName: null, hasPrefixes: true }
  const hasPrefixes = PREFIX.test(left) && PREFIX.test(right) && left.slice(0, 2) !== right.slice(0, 2)
  const bare = (name: string) => (hasPrefixes ? name.slice(2) : name)
  return { oldName: bare(left), newName: bare(right), hasPrefixes }
}

const PREFIX = /^[a-z12]\//

/** The name behind `---` or `+++`; null for /dev/null. What follows a tab is a date. */
export function sideName(rest: string, hasPrefixes: boolean): string | null {
  const name = rest.startsWith('"') ? plainName(rest) : (rest.split('\t')[0] ?? '')
  if (name === '/dev/null') return null
  return hasPrefixes && PREFIX.test(name) ? name.slice(2) : name
}

/** A name as git writes it: in C's quotes when it has letters that are not plain. */
export function plainName(text: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  return inner === undefined ? text : unquote(inner)
}

/** Names without quotes may hold blanks; but for renames they are the same, so the blank between them is in the middle. */
function splitInHalf(rest: string): [string | null, string | null] {
  const middle = (rest.length - 1) / 2
  const [left, right] = [rest.slice(0, middle), rest.slice(middle + 1)]
  const isSame = rest[middle] === ' ' && left.slice(left.indexOf('/')) === right.slice(right.indexOf('/'))
  return isSame ? [left, right] : [null, null]
}

function splitQuoted(rest: string): [string | null, string | null] {
  const match = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest)
  return [match?.[1], match?.[2]].map((name) => (name === undefined ? null : plainName(name))) as [
    string | null,
    string | null,
  ]
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** Octal escapes are bytes of UTF-8; where the bytes are none, the name stays as git wrote it. */
function unquote(inner: string): string {
  try {
    return decodeURIComponent(inner.replaceAll(/\\([0-7]{3}|.)|[^\\]/gu, percentOf))
  } catch (error) {
    if (error instanceof URIError) return inner
    throw error
  }
}

function percentOf(part: string, escape: string | undefined): string {
  if (escape === undefined) return encodeURIComponent(part)
  const byte = ESCAPES[escape] ?? Number.parseInt(escape, 8)
  return Number.isNaN(byte) ? '' : `%${(byte % 256).toString(16).padStart(2, '0')}`
}
