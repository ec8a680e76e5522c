import {
  jsonSchema,
  streamText,
  tool,
  type ModelMessage,
  type OutputInterface,
  type ToolChoice,
  type ToolSet,
} from 'ai'
import { Failure } from '../../contracts/failures.js'
import { MAX_ANSWER_BYTES } from '../../rules/answer-json.js'
import { modelFailure } from './model-failure.js'
import type { ModelLink } from './model-link.js'

export interface ModelCall {
  messages: ModelMessage[]
  tools: ToolSet
  /** Forces this tool. */
  must: string | null
  /** JSON Schema of the answer when it is to come as text; null when no schema can be told to the server. */
  schema: Record<string, unknown> | null
  maxOutputTokens: number | null
  signal: AbortSignal
}

export interface ModelReply {
  text: string
  toolCalls: readonly { id: string; name: string; input: unknown; isInvalid: boolean }[]
  /** What the conversation goes on with; complaints about invalid tool calls are among it. */
  messages: ModelMessage[]
  finish: string
  input: number | undefined
  output: number | undefined
  answerBytes: number
  /** What the SDK could not tell the server, for the transcript. */
  warnings: readonly object[]
}

// The SDK prints its warnings by default, on stdout too, where a result document may be expected.
globalThis.AI_SDK_LOG_WARNINGS = false

/** Asks a model once. Throws `Failure('Agent.InvalidAnswer')` for an answer that is too large, else what `modelFailure` makes of it. */
export async function callModel(link: ModelLink, call: ModelCall): Promise<ModelReply> {
  const stop = new AbortController()
  try {
    return await read(start(link, call, AbortSignal.any([call.signal, stop.signal])))
  } catch (error) {
    throw modelFailure(error, link)
  } finally {
    // Also closes the connection of an answer that nobody reads to its end.
    stop.abort()
  }
}

type Answering = ReturnType<typeof start>

function start(link: ModelLink, call: ModelCall, signal: AbortSignal) {
  const hasTools = Object.keys(call.tools).length > 0
  const toolChoice: ToolChoice<ToolSet> = call.must === null ? 'auto' : { type: 'tool', toolName: call.must }
  return streamText({
    model: link.model,
    messages: call.messages,
    ...(hasTools ? { tools: call.tools, toolChoice } : {}),
    ...(call.schema === null || hasTools ? {} : { output: shapedText(call.schema) }),
    ...(call.maxOutputTokens === null ? {} : { maxOutputTokens: call.maxOutputTokens }),
    // Retries belong to the workflow, where they are counted and seen.
    maxRetries: 0,
    abortSignal: signal,
    // Our schemas have optional fields, which strict modes refuse; what is asked is nobody's to keep.
    providerOptions: {
      openai: { strictJsonSchema: false, store: false },
      openaiCompatible: { strictJsonSchema: false },
    },
    // Errors come out of the stream as well; by default they are printed.
    onError: () => {},
  })
}

async function read(answering: Answering): Promise<ModelReply> {
  const answerBytes = await drain(answering)
  const [text, calls, response, usage, finish, raw, warnings = []] = await Promise.all([
    answering.text,
    answering.toolCalls,
    answering.response,
    answering.usage,
    answering.finishReason,
    answering.rawFinishReason,
    answering.warnings,
  ])
  if (finish === 'other' && raw === undefined && calls.length === 0) checkWhole(text)
  const toolCalls = calls.map(({ toolCallId: id, toolName: name, input, ...rest }) => ({
    id,
    name,
    input,
    isInvalid: 'invalid' in rest && rest.invalid === true,
  }))
  const { messages } = response
  const { inputTokens: input, outputTokens: output } = usage
  return { text, toolCalls, messages, finish, input, output, answerBytes, warnings }
}

/** Reads to the end. Returns the bytes of text and tool calls. */
async function drain(answering: Answering): Promise<number> {
  let bytes = 0
  for await (const part of answering.fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('the call was given up', 'AbortError')
    if (part.type === 'text-delta') bytes += Buffer.byteLength(part.text)
    if (part.type === 'tool-input-delta') bytes += Buffer.byteLength(part.delta)
    if (bytes > MAX_ANSWER_BYTES)
      throw new Failure('Agent.InvalidAnswer', `expected an answer of at most ${MAX_ANSWER_BYTES} bytes`)
  }
  return bytes
}

/** A proxy that closes a stream half way closes it cleanly: the reason to finish is then missing. */
function checkWhole(text: string): void {
  if (isJson(text)) return
  throw new Failure('Agent.Unavailable', 'the answer broke off: the server ended it without saying why')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Tells the server the schema and takes the text as it comes: parsing and complaining is the door's. */
function shapedText(schema: Record<string, unknown>): OutputInterface<string, number, never> {
  return {
    name: 'answer',
    responseFormat: Promise.resolve({ type: 'json', schema, name: 'answer' }),
    parseCompleteOutput: async ({ text }) => text,
    // The SDK holds text back until this changes.
    parsePartialOutput: async ({ text }) => ({ partial: text.length }),
    createElementStreamTransform: () => undefined,
  }
}

/** A tool that only carries its input to us: it is run by us, one at a time. */
export function carrier(description: string, schema: Record<string, unknown>): ToolSet[string] {
  return tool({ description, inputSchema: jsonSchema(schema), strict: false })
}
