import { Failure } from '../../contracts/failures.js'

/** Bytes of a response that comes at once, and of one that comes piece by piece: there each piece of text has a frame around it. */
const maxBytes = 16 * 1024 ** 2
const maxStreamBytes = 128 * 1024 ** 2

/**
 * `fetch` for a server that is not trusted: the body is bounded (beyond, reading it fails with `Failure('Agent.InvalidAnswer')`), and
 * a redirect is an answer, because following it would carry the key to wherever it leads.
 */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  if (response.body === null) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const body = response.body.pipeThrough(counted(isStream ? maxStreamBytes : maxBytes))
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers })
}

function counted(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let total = 0
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.length
      if (total > limit)
        controller.error(new Failure('Agent.InvalidAnswer', `the server sent more than ${limit} bytes`))
      else controller.enqueue(chunk)
    },
  })
}
