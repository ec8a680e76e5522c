/** An element of an XML document: as much of XML as reports use. */
export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: XmlElement[]
  /** Its own text, without that of its children. */
  text: string
}

/** Parses a whole document; entities of its own are not expanded. Throws `Error` when it is cut short or not well formed. */
export function readXml(document: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open: XmlElement[] = [root]
  let at = 0
  while (at < document.length) {
    const top = open.at(-1)
    if (top === undefined) throw new Error('an end tag too many')
    const tag = document.indexOf('<', at)
    top.text += decode(document.slice(at, tag === -1 ? undefined : tag))
    if (tag === -1) break
    at = takeMarkup(document, tag, open)
  }
  const [element] = root.children
  if (open.length !== 1 || element === undefined || root.children.length !== 1) throw new Error('XML that is cut short')
  return element
}

/** Handles what begins at `tag` and returns where it ends. */
function takeMarkup(document: string, tag: number, open: XmlElement[]): number {
  for (const { start, end, isText } of SECTIONS) {
    if (!document.startsWith(start, tag)) continue
    const close = document.indexOf(end, tag + start.length)
    if (close === -1) throw new Error(`expected ${end}`)
    const top = open.at(-1)
    if (isText && top !== undefined) top.text += document.slice(tag + start.length, close)
    return close + end.length
  }
  const close = endOfTag(document, tag)
  takeTag(document.slice(tag + 1, close), open)
  return close + 1
}

const SECTIONS = [
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<!--', end: '-->', isText: false },
  { start: '<?', end: '?>', isText: false },
  { start: '<!', end: '>', isText: false },
]

/** Where the > is that is not within quotes. */
function endOfTag(document: string, from: number): number {
  let quote = ''
  for (let at = from + 1; at < document.length; at++) {
    const char = document[at] ?? ''
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '>') return at
  }
  throw new Error('a tag without its end')
}

function takeTag(tag: string, open: XmlElement[]): void {
  if (tag.startsWith('/')) {
    const closed = open.pop()
    if (closed === undefined || closed.name !== tag.slice(1).trim()) throw new Error('tags that do not pair')
    return
  }
  const name = /^[^\s/>]+/.exec(tag)?.[0]
  if (name === undefined) throw new Error('a tag without a name')
  const pairs = [...tag.matchAll(/([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  const attributes = Object.fromEntries(pairs.map(([, key = '', a, b]) => [key, decode(a ?? b ?? '')]))
  const element: XmlElement = { name, attributes, children: [], text: '' }
  open.at(-1)?.children.push(element)
  if (!tag.endsWith('/')) open.push(element)
}

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|lt|gt|amp|quot|apos);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name] ?? whole
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
