import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

/** One answer of the model, put into the words of whatever protocol it was asked in. */
export interface Said {
  text?: string
  calls?: { name: string; input: unknown }[]
  /** In the words of chat completions; default: 'tool_calls' with calls, else 'stop'. Null: none at all. */
  finish?: 'stop' | 'length' | 'content_filter' | 'tool_calls' | null
  usage?: { input: number; output: number } | null
}

export type Turn = Said | ((response: ServerResponse, asked: Asked) => void)

export interface Asked {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

export interface ModelServer {
  url: string
  asked: Asked[]
}

const servers: (() => void)[] = []
afterAll(() => servers.forEach((close) => close()))

/** A server that speaks three vendors' wire protocols, as one document or as a stream. The last turn is said again and again. */
export async function startModelServer(...turns: Turn[]): Promise<ModelServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const turn = turns[Math.min(asked.length, turns.length - 1)]
      const question = { path: request.url ?? '', headers: request.headers, body }
      asked.push(question)
      if (typeof turn === 'function') turn(response, question)
      else say(response, question, turn ?? {})
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
}

export function say(response: ServerResponse, { path, body }: Asked, said: Said): void {
  const events = path.endsWith('/chat/completions')
    ? chatEvents(said)
    : path.endsWith('/responses')
      ? responsesEvents(said)
      : anthropicEvents(said)
  if (body['stream'] === true) sendEvents(response, events.stream)
  else sendJson(response, 200, events.whole)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

export function sendEvents(response: ServerResponse, events: readonly unknown[], isEnded: boolean = true): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const name = typeof event === 'object' && event !== null && 'type' in event ? `event: ${String(event.type)}\n` : ''
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }
  if (isEnded) response.end()
}

interface Events {
  whole: unknown
  stream: unknown[]
}

const defaultUsage = { input: 100, output: 20 }

function pieces(text: string): string[] {
  return text.length <= 2000 ? Array.from(text) : (text.match(/[^]{1,4000}/g) ?? [])
}

function words(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function chatEvents({ text = '', calls = [], finish, usage = defaultUsage }: Said): Events {
  const reason = finish === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : finish
  const toolCalls = calls.map(({ name, input }, index) => ({
    index,
    id: `call-${name}-${index}`,
    type: 'function',
    function: { name, arguments: words(input) },
  }))
  const base = { id: 'c1', object: 'chat.completion', created: 1, model: 'm' }
  const used = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  }
  const message = { role: 'assistant', content: text, ...(calls.length > 0 ? { tool_calls: toolCalls } : {}) }
  const delta = (piece: unknown, end: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta: piece, finish_reason: end }],
  })
  return {
    whole: { ...base, choices: [{ index: 0, message, finish_reason: reason }], ...(used ? { usage: used } : {}) },
    stream: [
      delta({ role: 'assistant', content: '' }),
      ...pieces(text).map((content) => delta({ content })),
      ...toolCalls.map((call) => delta({ tool_calls: [call] })),
      ...(reason === null ? [] : [delta({}, reason)]),
      ...(used ? [{ ...base, choices: [], usage: used }] : []),
      '[DONE]',
    ],
  }
}

function responsesEvents({ text = '', calls = [], finish, usage = defaultUsage }: Said): Events {
  const message = {
    type: 'message',
    id: 'm1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  }
  const items = [
    ...(text === '' ? [] : [message]),
    ...calls.map(({ name, input }, index) => ({
      type: 'function_call',
      id: `f${index}`,
      call_id: `call-${name}-${index}`,
      name,
      arguments: words(input),
      status: 'completed',
    })),
  ]
  const isCut = finish === 'length'
  const whole = {
    id: 'r1',
    object: 'response',
    created_at: 1,
    model: 'm',
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: items,
    usage: usage && {
      input_tokens: usage.input,
      output_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  }
  const stream: unknown[] = [{ type: 'response.created', response: { ...whole, output: [], usage: null } }]
  items.forEach((item, index) => {
    stream.push({ type: 'response.output_item.added', output_index: index, item })
    if (item.type === 'message')
      for (const piece of pieces(text))
        stream.push({
          type: 'response.output_text.delta',
          item_id: 'm1',
          output_index: index,
          content_index: 0,
          delta: piece,
        })
    stream.push({ type: 'response.output_item.done', output_index: index, item })
  })
  stream.push({ type: isCut ? 'response.incomplete' : 'response.completed', response: whole })
  return { whole, stream }
}

const anthropicReasons = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
} as const

function anthropicEvents({ text = '', calls = [], finish, usage = defaultUsage }: Said): Events {
  const reason = finish === null ? null : anthropicReasons[finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')]
  const used = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 }
  const blocks = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ name, input }, index) => ({ type: 'tool_use', id: `call-${name}-${index}`, name, input })),
  ]
  const base = { type: 'message', id: 'm1', role: 'assistant', model: 'm', stop_sequence: null }
  const stream: unknown[] = [
    {
      type: 'message_start',
      message: { ...base, content: [], stop_reason: null, usage: { ...used, output_tokens: 1 } },
    },
  ]
  blocks.forEach((block, index) => {
    const isText = block.type === 'text'
    const start = isText ? { type: 'text', text: '' } : { ...block, input: {} }
    stream.push({ type: 'content_block_start', index, content_block: start })
    if (isText)
      for (const piece of pieces(text))
        stream.push({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } })
    if ('input' in block)
      stream.push({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: words(block.input) },
      })
    stream.push({ type: 'content_block_stop', index })
  })
  stream.push({ type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: used })
  stream.push({ type: 'message_stop' })
  return { whole: { ...base, content: blocks, stop_reason: reason, usage: used }, stream }
}
