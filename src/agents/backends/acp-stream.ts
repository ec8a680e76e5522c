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
/** Questions of the program's that may be open at once. */
const maxOpen = 1000

/**
 * JSON-RPC messages over a program's pipes, one a line. The SDK's own stream answers noise with errors and prints what surprises it;
 * here both are noted and passed over, answers to questions nobody asked included.
 */
export function messageStream(pipes: Pipes, watch: WireWatch): Stream {
  const wire: Wire = { pipes, watch, asked: new Set(), open: 0 }
  return { readable: incoming(wire), writable: outgoing(wire) }
}

interface Wire {
  pipes: Pipes
  watch: WireWatch
  /** Ids of our questions that wait for their answer. */
  asked: Set<unknown>
  /** The program's questions that do. */
  open: number
}

function incoming(wire: Wire): ReadableStream<AnyMessage> {
  const { stdout } = wire.pipes
  let isOver = false
  let isDeaf = false
  return new ReadableStream<AnyMessage>({
    start(controller) {
      const lines = lineSplitter((line) => {
        const message = isOver ? null : hear(wire, line)
        if (message !== null) controller.enqueue(message)
      })
      stdout.on('data', (chunk: Buffer) => {
        if (isDeaf || lines.push(chunk)) return
        isDeaf = true
        wire.watch.fault(new Failure('Tool.Failed', `it sent a message of more than ${maxMessageBytes} bytes`))
      })
      stdout.once('close', () => isOver || controller.close())
    },
    cancel: () => void (isOver = true),
  })
}

/** The message that is for the SDK, or null. */
function hear(wire: Wire, line: string): AnyMessage | null {
  const { watch, asked } = wire
  const message = messageIn(line)
  const isNoise = message === null || (!('method' in message) && !('id' in message && asked.delete(message.id)))
  if (isNoise) {
    if (line.trim() !== '') watch.noise(line)
    return null
  }
  if (!('method' in message)) return message
  if (message.method === methods.client.session.update) {
    watch.update(message.params)
    return null
  }
  if ('id' in message) wire.open += 1
  if (wire.open <= maxOpen) return message
  watch.fault(new Failure('Tool.Failed', `it asks too much: ${maxOpen} questions are open`))
  return null
}

function outgoing(wire: Wire): WritableStream<AnyMessage> {
  const { stdin } = wire.pipes
  return new WritableStream<AnyMessage>({
    write(message) {
      // Answers to the last questions may come when nobody listens any more.
      if (stdin.writableEnded || stdin.destroyed) throw new Error('the program is not spoken with any more')
      if (!('method' in message)) wire.open -= 1
      else if ('id' in message) wire.asked.add(message.id)
      stdin.write(`${JSON.stringify(message)}\n`)
      const isFull = stdin.writableLength > maxBacklogBytes
      if (isFull) wire.watch.fault(new Failure('Tool.Failed', `it does not read: ${maxBacklogBytes} bytes wait for it`))
    },
  })
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
