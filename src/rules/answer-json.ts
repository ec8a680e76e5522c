/** What an agent's words hold. */
export interface AnswersInText {
  /** Every complete JSON document, in the order of the text. */
  documents: readonly unknown[]
  /** What is wrong with the text itself; null when nothing is, or nothing that matters when one of the documents fits. */
  complaint: string | null
}

/** Bytes of an answer, as UTF-8. */
export const MAX_ANSWER_BYTES = 2 * 1024 ** 2
/** Levels of nesting. */
export const MAX_ANSWER_DEPTH = 64

/**
 * Finds the JSON documents in what an agent said: the whole text, or objects and lists anywhere in it, whatever stands around them
 * (prose, fences, a byte order mark). Only what is around is forgiven: a document itself is strict JSON. One that lies within
 * another is a part of it. Bounded in time by the length of the text.
 */
export function answersIn(text: string): AnswersInText {
  const bare = text.replace(/^\ufeff/, '').trim()
  if (bare === '') return { documents: [], complaint: 'the answer is empty: expected a JSON document' }
  const whole = parsed(bare)
  if (whole === null) return documentsIn(bare)
  return isTooDeep(whole.value) ? { documents: [], complaint: TOO_DEEP } : { documents: [whole.value], complaint: null }
}

/** Whether a value has more levels of lists and objects than an answer may have. */
export function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_ANSWER_DEPTH) return true
    level = level.flatMap((each) => Object.values(each).filter(isContainer))
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const TOO_DEEP = `the JSON document is nested more than ${MAX_ANSWER_DEPTH} levels deep`

function documentsIn(text: string): AnswersInText {
  const found: Found = { documents: [], complaint: null }
  // A text made to be walked again and again from every bracket is given up.
  let work = 20 * text.length
  const brackets = /[{[]/g
  for (let match = brackets.exec(text); match !== null && work > 0; match = brackets.exec(text)) {
    const end = takeDocument(text, match.index, found)
    work -= end.at - match.index
    // A piece of a document that is cut off is no answer; a good document within brackets of prose is.
    if (end.why !== 'syntax') brackets.lastIndex = end.at
  }
  const { documents, complaint } = found
  const nothing = documents.length === 0 ? `no JSON document was found in the answer: ${preview(text)}` : null
  return { documents, complaint: complaint ?? nothing }
}

interface Found {
  documents: unknown[]
  complaint: string | null
}

/** Of what was never meant as a document nothing is said. */
function takeDocument(text: string, start: number, found: Found): End {
  const end = endOf(text, start)
  const document = end.why === null ? parsed(text.slice(start, end.at)) : null
  if (document !== null) found.documents.push(document.value)
  else if (end.at - start > WORTH_NAMING) found.complaint ??= brokenAt(text, { start, ...end })
  return end.why === null && document === null ? { ...end, why: 'syntax' } : end
}

/** Characters that went well before a document broke. */
const WORTH_NAMING = 10

interface End {
  /** One behind the document's last character, or where it broke. */
  at: number
  why: 'end' | 'depth' | 'syntax' | null
}

/**
 * Walks a document from its first bracket to the matching last one. Leaves at the first token that cannot follow, so that prose in
 * brackets costs a few characters. Numbers and words are looked at by `JSON.parse` alone.
 */
function endOf(text: string, start: number): End {
  const open: string[] = []
  let previous = ''
  for (let at = start; ;) {
    const token = tokenAt(text, at)
    if (token === null) return { at: text.length, why: 'end' }
    const why = step(open, { previous, kind: token.kind })
    // Behind a document without a floor nothing is looked for.
    if (why !== null) return { at: why === 'depth' ? text.length : token.start, why }
    at = token.end
    previous = token.kind
    if (open.length === 0) return { at, why: null }
  }
}

/** Opens and closes levels; says why the walk ends here when it does. */
function step(open: string[], { previous, kind }: { previous: string; kind: string }): 'depth' | 'syntax' | null {
  const within = open.at(-1)
  if (!mayFollow(previous, kind, within)) return 'syntax'
  if (kind === '{' || kind === '[') open.push(kind)
  if ((kind === '}' || kind === ']') && open.pop() !== (kind === '}' ? '{' : '[')) return 'syntax'
  return open.length > MAX_ANSWER_DEPTH ? 'depth' : null
}

interface Token {
  start: number
  end: number
  /** A mark itself, '"' for a string, 'v' for a word or number, '?' for what JSON does not know. */
  kind: string
}

/** Null at the end of the text, also in the middle of a string. By hand: a regular expression runs out of stack on long strings. */
function tokenAt(text: string, from: number): Token | null {
  const start = pastBlanks(text, from)
  const first = text[start]
  if (first === undefined) return null
  if ('{}[],:'.includes(first)) return { start, end: start + 1, kind: first }
  return first === '"' ? stringAt(text, start) : wordAt(text, start)
}

function pastBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

function wordAt(text: string, start: number): Token {
  const word = /[-\w.+]+/y
  word.lastIndex = start
  const length = word.exec(text)?.[0].length
  return { start, end: start + (length ?? 1), kind: length === undefined ? '?' : 'v' }
}

function stringAt(text: string, start: number): Token | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return { start, end: at + 1, kind: '"' }
    if (text[at] === '\\') at += 1
    else if (text.charCodeAt(at) < 0x20) return { start, end: at, kind: '?' }
  }
  return null
}

/** Enough of JSON's grammar to tell it from prose. `within` is the bracket that is open, undefined before the first one. */
function mayFollow(previous: string, next: string, within: string | undefined): boolean {
  if (within === undefined) return true
  const followers = FOLLOWERS[`${within}${previous}`] ?? FOLLOWERS[previous] ?? ',}]'
  return followers.includes(next)
}

/** By the last token, and where it matters by the open bracket before it; what is not here is the end of a value. */
const FOLLOWERS: Record<string, string> = {
  '{': '"}',
  '[': '{["v]',
  ':': '{["v',
  '{,': '"',
  '[,': '{["v',
  '{"': ':,}',
}

function brokenAt(text: string, { start, at, why }: End & { start: number }): string {
  if (why === 'depth') return TOO_DEEP
  if (why === 'end') return 'the JSON document is not complete: the answer ends in the middle of it'
  return `the JSON document that begins with ${preview(text.slice(start, at))} is not valid JSON near ${preview(text.slice(at))}`
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

function preview(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
