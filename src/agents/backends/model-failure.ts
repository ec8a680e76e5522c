import { APICallError } from 'ai'
import { Failure, type FailureType } from '../../contracts/failures.js'
import { retryAfterMs } from './retry-after.js'

/** What went wrong between us and a model's server. */
interface Trouble {
  status: number | null
  /** The server's own words for the kind of error: 'overloaded_error', 'insufficient_quota'. */
  kind: string
  words: string
  headers: Readonly<Record<string, string>>
}

/**
 * Reads an error of a call: of the AI SDK, of `fetch`, or one that the server sent in the middle of a stream. The key is taken out,
 * and nothing of the request goes along: history keeps the message.
 */
export function modelFailure(error: unknown, link: { name: string; key: string | null }): Failure {
  const own = chainOf(error).find((each) => each instanceof Failure)
  if (own !== undefined) return own
  const trouble = troubleOf(error)
  const type = typeOf(trouble)
  const status = trouble.status === null ? '' : ` (HTTP ${trouble.status})`
  const message = `${link.name}${status}: ${plainWords(trouble.words, link.key)}`
  const wait = type === 'Agent.Unavailable' ? retryAfterMs(trouble.headers, Date.now()) : null
  return new Failure(type, message, wait === null ? {} : { retryAfterMs: wait })
}

/** First fit. The rest, 5xx and what has no status, is for another time. */
const ROWS: readonly { fits: (trouble: Trouble) => boolean; type: FailureType }[] = [
  // Comes as 429, but waiting does not pay the bill.
  { fits: ({ kind }) => /insufficient_quota|billing/.test(kind), type: 'Agent.Rejected' },
  { fits: ({ kind }) => /rate_limit|overloaded/.test(kind), type: 'Agent.Unavailable' },
  { fits: ({ kind }) => /context_length|authentication|permission|not_found/.test(kind), type: 'Agent.Rejected' },
  { fits: ({ status }) => [408, 409, 425, 429].includes(status ?? 0), type: 'Agent.Unavailable' },
  { fits: ({ status }) => status !== null && status >= 300 && status < 500, type: 'Agent.Rejected' },
  { fits: ({ status, kind }) => status === null && /invalid_request/.test(kind), type: 'Agent.Rejected' },
]

function typeOf(trouble: Trouble): FailureType {
  return ROWS.find(({ fits }) => fits(trouble))?.type ?? 'Agent.Unavailable'
}

function troubleOf(error: unknown): Trouble {
  if (APICallError.isInstance(error)) return troubleOfCall(error)
  // The SDK stumbles over nonsense with errors of any class.
  if (error instanceof Error) return { ...noTrouble, words: `${isNetwork(error) ? lost : nonsense}: ${error.message}` }
  return {
    ...noTrouble,
    ...(typeof error === 'object' && error !== null ? saidInStream(error) : { words: String(error) }),
  }
}

const lost = 'the connection was lost'
const nonsense = 'what the server sent is not understood'

const noTrouble: Trouble = { status: null, kind: '', words: '', headers: {} }

function troubleOfCall(error: APICallError): Trouble {
  return {
    status: error.statusCode ?? null,
    kind: kindIn(error.responseBody ?? ''),
    words: error.message,
    headers: error.responseHeaders ?? {},
  }
}

function kindIn(body: string): string {
  return [...body.slice(0, 100_000).matchAll(/"(?:type|code)"\s*:\s*"([a-z_]{1,60})"/g)]
    .map((found) => found[1])
    .join(' ')
}

/** `{type, code, message, statusCode}`, each where the protocol has it. */
function saidInStream(error: object): Partial<Trouble> {
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null
  const words = 'message' in error && typeof error.message === 'string' ? error.message : 'the server broke off'
  return { status, kind: kindIn(JSON.stringify(error)), words }
}

function isNetwork(error: Error): boolean {
  return chainOf(error).some(
    (each) =>
      each instanceof Error &&
      (/^(terminated|fetch failed)$/.test(each.message) || /^(UND_ERR|E[A-Z]+$)/.test(codeOf(each))),
  )
}

function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (let each = error; each !== undefined && chain.length < 10; each = each instanceof Error ? each.cause : undefined)
    chain.push(each)
  return chain
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

function plainWords(words: string, key: string | null): string {
  const open = key === null || key.length < 4 ? words : words.replaceAll(key, '[key]')
  return open
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500)
}
