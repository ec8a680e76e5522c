import { Failure } from '../../contracts/failures.js'

/**
 * What went wrong at GitHub, as the closed list says it: a rate limit carries its delay, a refusal names its status, and all else (no
 * connection, out of time, 5xx) is a failure that `isUnreachable` knows. `what` is what was asked for.
 */
export function asGitHubFailure(error: unknown, what: string): Failure {
  if (error instanceof Failure) return error
  const { status, headers, message } = answerOf(error)
  const said = message.replace(/\s+/g, ' ').slice(0, 200)
  if (isLimit({ status, headers, message })) {
    const retryAfterMs = delayOf(headers, Date.now())
    const seconds = Math.ceil(retryAfterMs / 1000)
    return new Failure('GitHub.Limited', `GitHub's rate limit is used up (${what}): try again in ${seconds} s`, {
      retryAfterMs,
      details: { status },
    })
  }
  if (status >= 400 && status < 500) {
    return new Failure('GitHub.Denied', `GitHub refused ${what} with ${status}: ${said}`, { details: { status } })
  }
  return unreachable(what, said)
}

export function unreachable(what: string, said: string): Failure {
  return new Failure('Tool.Failed', `GitHub could not be reached for ${what}: ${said}`, {
    details: { unreachable: true },
  })
}

/** True for no connection, no answer in time, a 5xx, or an answer that is not GitHub's. */
export function isUnreachable(error: unknown): error is Failure {
  return error instanceof Failure && error.details['unreachable'] === true
}

interface Answer {
  /** 0 when there was none. */
  status: number
  headers: Record<string, unknown>
  message: string
}

/** Octokit's `RequestError` has status 500 and no response when the connection itself failed. */
function answerOf(error: unknown): Answer {
  const { status, response, message } = error as {
    status?: unknown
    response?: { headers?: object }
    message?: unknown
  }
  return {
    status: response === undefined || typeof status !== 'number' ? 0 : status,
    headers: { ...response?.headers },
    message: typeof message === 'string' ? message : String(error),
  }
}

/** A 403 is a limit only when GitHub says so: by its headers, or in words for the secondary limit. */
function isLimit({ status, headers, message }: Answer): boolean {
  if (status === 429) return true
  const says = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  return status === 403 && (says || /\brate limit\b/i.test(message))
}

/** Milliseconds: `retry-after` (seconds) first, then `x-ratelimit-reset` (epoch seconds), else a minute; between a second and an hour. */
function delayOf(headers: Record<string, unknown>, nowMs: number): number {
  const after = Number(headers['retry-after'])
  const reset = Number(headers['x-ratelimit-reset'])
  const wanted = after > 0 ? after * 1000 : reset > 0 ? reset * 1000 - nowMs + 1000 : 60_000
  return Math.min(Math.max(wanted, 1000), 3_600_000)
}
