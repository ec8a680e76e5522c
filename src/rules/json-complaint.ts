/** What `JSON.parse` would overlook, or would not name. */
export interface JsonComplaint {
  /** "security_result.score"; "" for the document itself. */
  field: string
  expected: string
  came: string
}

/**
 * Looks for what a parser cannot say well: a key given twice (the last would win silently), a word that is no JSON (`NaN`), a number beyond
 * all bounds, nesting without end. Null when there is nothing of the kind, which does not mean that the text is JSON. One pass, no recursion.
 */
export function findJsonComplaint(text: string): JsonComplaint | null {
  const open: Level[] = []
  for (const token of tokensOf(text)) {
    const complaint = lookAt(token, open)
    if (complaint !== null) return { field: fieldOf(open), ...complaint }
  }
  return null
}

/** Strings, marks, and runs of anything else but blanks. Strings by hand: a regular expression runs out of stack on long ones. */
function* tokensOf(text: string): Generator<string> {
  const others = /[{}[\],:]|[^\s{}[\],:"]+|\s+/y
  let at = 0
  while (at < text.length) {
    const start = at
    others.lastIndex = at
    at = text[at] === '"' ? endOfString(text, at) : at + (others.exec(text)?.[0].length ?? 1)
    if (text.charCodeAt(start) > blank) yield text.slice(start, at)
  }
}

/** The last character that JSON may count as a blank. */
const blank = 0x20

/** The end of the text where the string has none. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const character = text[at]
    if (character === '"') return at + 1
    at += character === '\\' ? 2 : 1
  }
  return text.length
}

/** An object or list that is not closed yet. */
interface Level {
  /** Null for a list. */
  keys: Set<string> | null
  /** The key or index we are at. */
  at: string | number
  isKeyNext: boolean
}

type Complaint = Omit<JsonComplaint, 'field'>

function lookAt(token: string, open: Level[]): Complaint | null {
  const level = open.at(-1)
  const mark = MARKS[token]
  if (mark !== undefined) return mark(open)
  if (level?.isKeyNext === true && token.startsWith('"')) return takeKey(token, level)
  return token.startsWith('"') ? null : lookAtWord(token)
}

const MARKS: Record<string, ((open: Level[]) => Complaint | null) | undefined> = Object.assign(Object.create(null), {
  '{': (open: Level[]) => openLevel(open, { keys: new Set(), at: '', isKeyNext: true }),
  '[': (open: Level[]) => openLevel(open, { keys: null, at: 0, isKeyNext: false }),
  '}': closeLevel,
  ']': closeLevel,
  ',': nextMember,
  ':': () => null,
})

function openLevel(open: Level[], level: Level): Complaint | null {
  open.push(level)
  return open.length > maxDepth ? { expected: `at most ${maxDepth} levels`, came: 'more' } : null
}

const maxDepth = 64

function closeLevel(open: Level[]): null {
  open.pop()
  return null
}

function nextMember(open: Level[]): null {
  const level = open.at(-1)
  if (level?.keys === null) level.at = Number(level.at) + 1
  else if (level !== undefined) level.isKeyNext = true
  return null
}

function takeKey(token: string, level: Level): Complaint | null {
  level.isKeyNext = false
  level.at = unquote(token)
  if (level.keys?.has(level.at) === true) return { expected: 'the field once', came: 'it twice' }
  level.keys?.add(level.at)
  return null
}

/** `"a"` and `"\u0061"` are one key. What is no string is left to the parser. */
function unquote(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch (error) {
    if (error instanceof SyntaxError) return token
    throw error
  }
}

function lookAtWord(token: string): Complaint | null {
  if (token === 'true' || token === 'false' || token === 'null') return null
  const came = token.slice(0, 40)
  if (!/^-?\d/.test(token)) return { expected: 'a JSON value', came }
  return Number.isFinite(Number(token)) ? null : { expected: 'a finite number', came }
}

function fieldOf(open: readonly Level[]): string {
  return open
    .slice(0, 8)
    .map(({ at }) => String(at).slice(0, 80))
    .filter((part) => part !== '')
    .join('.')
}
