import { methods, type AnyMessage, type Stream } from '@agentclientprotocol/sdk'
import { Failure } from '../../contracts/failures.js'
import type { Pipes } from './backend.js'

/** Who hears what is not for the SDK. */
export interface WireWatch {
  /** What the agent reports, in order and unchecked: not all of it is of the protocol, and none of it must be lost for that. */
  update(params: unknown): void
  /** A line that is no message: many programs print where they should not. */
  noise(line: string): void
  /** Nothing more can be read or written. */
  fault(failure: Failure): void
}

/** Bytes of one message, and of those waiting for a program that does not read. */
const maxMessageBytes = 16 * 1024 ** 2
const maxBacklogBytes = 32 * 1024 ** 2

/**
 * JSON-RPC messages over a program's pipes, one a line. The SDK's own stream answers noise with errors and prints what surprises it;
 * here both are noted and passed over, answers to questions nobody asked included.
 */
export function messageStream({ stdin, stdout }: Pipes, watch: WireWatch): Stream {
  const asked = new Set<unknown>()
  const isOurs = (message: AnyMessage) => 'method' in message || ('id' in message && asked.delete(message.id))
  let isOver = false

  function hear(line: string): AnyMessage | null {
    const message = messageIn(line)
    if (message === null || !isOurs(message)) {
      if (line.trim() !== '') watch.noise(line)
      return null
    }
    if (!('method' in message) || message.method !== methods.client.session.update) return message
    watch.update(message.params)
    return null
  }

  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      const lines = lineSplitter((line) => {
        const message = isOver ? null : hear(line)
        if (message !== null) controller.enqueue(message)
      })
      let isDeaf = false
      const read = (chunk: Buffer) => {
        if (isDeaf || lines.push(chunk)) return
        isDeaf = true
        watch.fault(new Failure('Tool.Failed', `it sent a message of more than ${maxMessageBytes} bytes`))
      }
      stdout.on('data', read)
      stdout.once('close', () => isOver || controller.close())
    },
    cancel: () => void (isOver = true),
  })

  const writable = new WritableStream<AnyMessage>({
    write(message) {
      // Answers to the last questions may come when nobody listens any more.
      if (stdin.writableEnded || stdin.destroyed) throw new Error('the program is not spoken with any more')
      if ('method' in message && 'id' in message) asked.add(message.id)
      stdin.write(`${JSON.stringify(message)}\n`)
      const isFull = stdin.writableLength > maxBacklogBytes
      if (isFull) watch.fault(new Failure('Tool.Failed', `it does not read: ${maxBacklogBytes} bytes wait for it`))
    },
  })
  return { readable, writable }
}

/** Cuts bytes into lines of text. `push` is false once a line is too long. */
function lineSplitter(take: (line: string) => void) {
  let pending: Buffer[] = []
  let pendingBytes = 0
  function push(chunk: Buffer): boolean {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      take(Buffer.concat([...pending, chunk.subarray(start, end)]).toString('utf8'))
      pending = []
      pendingBytes = 0
      start = end + 1
    }
    pending.push(chunk.subarray(start))
    pendingBytes += chunk.length - start
    return pendingBytes <= maxMessageBytes
  }
  return { push }
}

function messageIn(line: string): AnyMessage | null {
  try {
    const value: unknown = JSON.parse(line)
    return isMessage(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Further checks are the SDK's. */
function isMessage(value: unknown): value is AnyMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
}
