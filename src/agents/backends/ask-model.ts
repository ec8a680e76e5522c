import type { ModelMessage } from 'ai'
import { Failure } from '../../contracts/failures.js'
import type { Env } from '../../tools/state-home.js'
import type { AgentBox, AgentRequest, RawAnswer } from './backend.js'
import { callModel, type ModelReply } from './model-call.js'
import { linkModel, modelDefinition, type ModelAgent, type ModelLink } from './model-link.js'
import { openMeter, type Bound, type Meter } from './model-meter.js'
import { modelTools, objectSchema, submitted, submitTool, useTools, type ModelTools } from './model-tools.js'
import { isTimeUp } from './time-up.js'
import { wholePrompt } from './whole-prompt.js'

/**
 * Asks a language model by its vendor's or a compatible server's protocol. A role without abilities gets its answer at once, shaped by its
 * schema where the server can; others work with the tools of `worktreeTools` first. Throws what `Backend` says, and
 * `Failure('Agent.InvalidAnswer')` for an answer beyond all bounds, `Failure('Tool.TimedOut')` for work that takes too long;
 * each with the usage so far in its details.
 */
export async function askModel(
  { agent, env }: { agent: ModelAgent; env: Env },
  request: AgentRequest,
  box: AgentBox,
): Promise<RawAnswer> {
  const definition = modelDefinition(agent)
  const link = linkModel(definition, env)
  const meter = openMeter(definition, box.allowance)
  const talk: Talk = { link, meter, request, box, tools: modelTools(request) }
  try {
    return { answer: await converse(talk), usage: meter.usage() }
  } catch (error) {
    throw endOf(talk, error)
  }
}

interface Talk {
  link: ModelLink
  meter: Meter
  request: AgentRequest
  box: AgentBox
  tools: ModelTools
}

/** Calls of one question; the last may only answer. */
const maxTurns = 100

async function converse(talk: Talk): Promise<RawAnswer['answer']> {
  const { box, tools, request } = talk
  const hasSubmit = submitTool in tools.told
  const how = hasSubmit ? `by the tool ${submitTool}, or as your last message` : undefined
  const messages: ModelMessage[] = [{ role: 'user', content: wholePrompt(request, how) }]
  for (let turn = 1; turn <= maxTurns; turn++) {
    const reply = await callOnce(talk, messages, hasSubmit && turn === maxTurns)
    const results = await useTools(box, tools, reply)
    const answer = answerIn(request, reply)
    if (answer !== null) return answer
    messages.push(...reply.messages, ...results)
  }
  throw new Failure('Agent.InvalidAnswer', `no answer after ${maxTurns} rounds of tool use`)
}

async function callOnce(talk: Talk, messages: ModelMessage[], isLast: boolean): Promise<ModelReply> {
  const { box, meter, tools } = talk
  const schema = objectSchema(talk.request.answer_schema)
  const promptBytes = Buffer.byteLength(JSON.stringify([messages, schema]))
  const bound = meter.bound(promptBytes)
  const reply = await callModel(talk.link, {
    messages,
    tools: tools.told,
    must: isLast ? submitTool : null,
    schema,
    maxOutputTokens: bound?.tokens ?? null,
    signal: box.signal,
  })
  meter.add({ ...reply, promptBytes })
  recordReply(box, reply, messages.length === 1)
  checkEnd(talk.link, reply, bound)
  return reply
}

function recordReply(box: AgentBox, { text, finish, input, output, warnings }: ModelReply, isFirst: boolean): void {
  if (text !== '') box.record({ kind: 'text', text })
  if (isFirst && warnings.length > 0) box.record({ kind: 'note', text: 'not told to the server', warnings })
  box.record({ kind: 'note', text: 'call', finish, input_tokens: input ?? null, output_tokens: output ?? null })
}

function checkEnd(link: ModelLink, { finish, text }: ModelReply, bound: Bound | null): void {
  if (finish === 'content-filter') throw new Failure('Agent.Rejected', `${link.name} refused: ${text.slice(0, 500)}`)
  // Cut by the definition's own bound it is the parser's to complain about.
  if (finish === 'length' && bound?.isAllowance === true)
    throw new Failure(
      'Budget.Exhausted',
      `the answer needs more than the ${bound.tokens} tokens that were left of the budget`,
    )
}

/** Null while the model still works. Arguments that are no JSON are the parser's to mend, like any other text. */
function answerIn(request: AgentRequest, reply: ModelReply): RawAnswer['answer'] | null {
  const call = reply.toolCalls.find(({ name }) => name === submitTool)
  if (call === undefined) return reply.toolCalls.length === 0 ? { text: reply.text } : null
  return call.isInvalid ? { text: String(call.input) } : { value: submitted(request, call.input) }
}

function endOf({ meter, box }: Talk, error: unknown): unknown {
  const failure = box.signal.aborted ? abortedBy(box) : error
  if (!(failure instanceof Failure)) return failure
  const { type, message, retryAfterMs, details } = failure
  const complaints = type === 'Agent.InvalidAnswer' ? { complaints: [message] } : {}
  return new Failure(type, message, {
    details: { ...complaints, ...details, usage: meter.usage() },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function abortedBy({ signal, limitMs }: AgentBox): unknown {
  if (!isTimeUp(signal)) return signal.reason
  return new Failure('Tool.TimedOut', `the model was not done within ${Math.round(limitMs / 1000)} s`)
}
