/** One secret: every way of writing it is replaced by a mark that names it. */
export interface Secret {
  /** Of the variable that holds it. */
  name: string
  value: string
}

/**
 * The values that must not leave a worker: of variables whose names say that they hold a secret, passwords within addresses, and
 * of every variable that is handed on to an agent (`listed`). Values shorter than six characters are no secrets, and of those that
 * are not handed on neither are short words and numbers: taking "postgres" out of all that is said would do more harm than good.
 */
export function secretsOf(env: Readonly<Record<string, string | undefined>>, listed: readonly string[]): Secret[] {
  const found = Object.entries(env).flatMap(([name, value = '']) => {
    const isHanded = listed.includes(name) && !PLAIN_NAMES.has(name)
    const isNamed = SECRET_NAME.test(name) && !PLAIN_NAMES.has(name) && !PLAIN_VALUE.test(value)
    return [...(isHanded || isNamed ? [value] : []), ...passwordsIn(value)].map((each) => ({ name, value: each }))
  })
  return found.filter(({ value }) => value.length >= SHORTEST)
}

const PLAIN_VALUE = /^(?:[A-Za-z]{1,11}|\d{1,11})$/
const SECRET_NAME =
  /(^|_)(API_?KEY|KEY|TOKEN|PAT|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|CREDENTIALS?|AUTH|COOKIE|SESSION|SIGNATURE)S?(_|$)|[a-z](Key|Token|Secret|Password)$|(KEY|TOKEN|SECRET|PASSWORD)$/
/** Names that fit and hold no secret, and variables that anybody may know though they are handed on. */
const PLAIN_NAMES = new Set([
  'PWD',
  'OLDPWD',
  'SSH_AUTH_SOCK',
  'XDG_SESSION_ID',
  'XDG_SESSION_TYPE',
  'XDG_SESSION_CLASS',
  'DESKTOP_SESSION',
  'HOME',
  'PATH',
  'LANG',
  'TZ',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
])
const SHORTEST = 6

/** Of addresses such as `https://user:password@host`. */
function passwordsIn(value: string): string[] {
  return Array.from(value.matchAll(/\w:\/\/[^\s:@/]*:([^\s@/]+)@/g), ([, password = '']) => password)
}

/** Makes the function that takes secrets out of a text: as they are, and as JSON, URLs and base64 write them. */
export function createRedactor(secrets: readonly Secret[]): (text: string) => string {
  const marks = new Map<string, string>()
  for (const { name, value } of secrets)
    for (const spelling of spellings(value)) marks.set(spelling, `[secret ${name}]`)
  // Longer ones first: a secret may be the beginning of another.
  const all = [...marks.keys()].sort((a, b) => b.length - a.length).map(escapeRegExp)
  if (all.length === 0) return (text) => text
  const pattern = new RegExp(all.join('|'), 'g')
  return (text) => text.replace(pattern, (found) => marks.get(found) ?? '')
}

function spellings(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= LONG_LINE)
  const each = [value, value.trim(), ...lines].filter((text) => text.length >= SHORTEST)
  return each.flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encoded(text), ...base64s(text)])
}

/** Lines of a key of many lines that are worth hiding by themselves. */
const LONG_LINE = 20

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch (error) {
    // Half a character, which no address can hold.
    if (error instanceof URIError) return text
    throw error
  }
}

/** By hand, because rules run where neither Buffer nor btoa is sure to be. Only the part that does not depend on what comes after it. */
function base64s(text: string): string[] {
  const bytes = Array.from(new TextEncoder().encode(text))
  const whole = bytes.slice(0, bytes.length - (bytes.length % 3))
  const plain = whole.flatMap((_, at) => (at % 3 === 0 ? [group(whole.slice(at, at + 3))] : [])).join('')
  if (plain.length < 8) return []
  return [plain, plain.replaceAll('+', '-').replaceAll('/', '_')]
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function group([a = 0, b = 0, c = 0]: readonly number[]): string {
  const bits = (a << 16) | (b << 8) | c
  return [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63] ?? '').join('')
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** The same JSON value with every string redacted, keys included. */
export function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((each) => redactValue(each, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactValue(each, redact)]))
}
