import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { progressMeter, type Progress } from './progress-meter.js'

export interface FileRequest {
  url: string
  /** Absolute path to write; the caller renames it once it is checked. */
  to: string
  /** What a person calls it: 'temporal 1.9.1'. */
  label: string
  progress: Progress
  /** Largest accepted answer, bytes. */
  maxBytes: number
}

/** Downloads one file. Throws a plain `Error` with one short line when there is no answer, no progress for 20 s, or too much. */
export async function fetchFile(request: FileRequest): Promise<void> {
  const stall = stallSignal()
  try {
    const answer = await fetchAnswer(request.url, stall.signal)
    const total = Number(answer.headers.get('content-length')) || null
    const meter = progressMeter(request.label, total, request.progress)
    const counter = countBytes(request.maxBytes, (bytes) => {
      stall.moved()
      meter(bytes)
    })
    const body = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>)
    await pipeline(body, counter, createWriteStream(request.to, { flags: 'wx' }), { signal: stall.signal })
  } finally {
    stall.end()
  }
}

/** Downloads a small JSON document (at most 1 MB). */
export async function fetchJson(url: string): Promise<unknown> {
  const stall = stallSignal()
  try {
    const answer = await fetchAnswer(url, stall.signal)
    const text = await answer.text()
    if (text.length > 1e6) throw new Error('the answer is longer than 1 MB')
    return JSON.parse(text) as unknown
  } finally {
    stall.end()
  }
}

/** How long a server may say nothing before the next source is tried. */
export const silenceMs = 20_000

async function fetchAnswer(url: string, signal: AbortSignal): Promise<Response> {
  const host = new URL(url).host
  let answer: Response
  try {
    answer = await fetch(url, { signal, redirect: 'follow' })
  } catch (error) {
    if (signal.aborted) throw new Error(`${host} did not answer within ${silenceMs / 1000} s`, { cause: error })
    throw new Error(`${host} cannot be reached (${reasonOf(error)})`, { cause: error })
  }
  if (!answer.ok || answer.body === null) throw new Error(`${host} answered ${answer.status}`)
  return answer
}

/** undici hides what happened ('fetch failed') in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message.slice(0, 120) : 'unknown reason'
}

function stallSignal() {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error(`no progress for ${silenceMs / 1000} s`))
  const timer = setTimeout(abort, silenceMs)
  return { signal: controller.signal, moved: () => timer.refresh(), end: () => clearTimeout(timer) }
}

function countBytes(maxBytes: number, report: (bytes: number) => void): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      report(bytes)
      done(bytes > maxBytes ? new Error(`the file is larger than ${maxBytes} bytes`) : null, chunk)
    },
  })
}
