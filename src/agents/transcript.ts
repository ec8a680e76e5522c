import { redactValue } from '../rules/redact.js'
import type { TranscriptEntry } from './backends/backend.js'

/** What was said, line by line. */
export interface Transcript {
  record(entry: TranscriptEntry): void
  /** JSON lines: `{at, kind, …}`. What did not fit is counted in a note. */
  text(): string
}

/** Characters kept of one text, of the beginning and of the end of all lines together. */
const MAX_TEXT = 256 * 1024
const MAX_HEAD = 3 * 1024 ** 2
const MAX_TAIL = 1024 ** 2

/** A transcript of bounded size: its beginning and its end. Secrets are taken out before anything is kept. */
export function openTranscript(redact: (text: string) => string): Transcript {
  const head: string[] = []
  const tail: string[] = []
  const size = { head: 0, tail: 0 }
  let dropped = 0

  function record(entry: TranscriptEntry): void {
    const line = JSON.stringify({ at: new Date().toISOString(), ...(redactValue(bounded(entry), redact) as object) })
    if (tail.length === 0 && dropped === 0 && size.head + line.length <= MAX_HEAD) {
      head.push(line)
      size.head += line.length
      return
    }
    tail.push(line)
    size.tail += line.length
    while (size.tail > MAX_TAIL && tail.length > 1) {
      size.tail -= tail.shift()?.length ?? 0
      dropped += 1
    }
  }

  function text(): string {
    const note = dropped === 0 ? [] : [JSON.stringify({ kind: 'note', text: `${dropped} lines left out here` })]
    return [...head, ...note, ...tail].map((line) => `${line}\n`).join('')
  }

  return { record, text }
}

/** Long texts lose their middle. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string') return boundedText(value)
  if (Array.isArray(value)) return value.map(bounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, bounded(each)]))
}

function boundedText(text: string): string {
  if (text.length <= MAX_TEXT) return text
  const half = MAX_TEXT / 2
  return `${text.slice(0, half)}\n[${text.length - MAX_TEXT} characters left out]\n${text.slice(-half)}`
}
