import type { Writable } from 'node:stream'
import { Failure } from '../../contracts/failures.js'
import { within } from '../../tools/process/within.js'
import { acpClient, type AcpClient } from './acp-client.js'
import { acpFailure, isClosed } from './acp-failure.js'
import { messageStream } from './acp-stream.js'
import { takeTurn, type AcpTurn } from './acp-turn.js'
import type { AgentBox, AgentRequest, KnownAgent, RawAnswer } from './backend.js'
import { isTimeUp } from './time-up.js'

type AcpAgent = Extract<KnownAgent, { kind: 'acp' }>

/**
 * Asks a program that speaks the Agent Client Protocol (version 1) on stdio: one session in the attempt's folder, one prompt; its last
 * message is the answer. What it may do through us follows the role's abilities. Throws what `Backend` says, `Failure('Tool.TimedOut')`
 * when its time is over, `Failure('Agent.InvalidAnswer')` for an answer beyond all bounds; each with the usage in its details.
 */
export async function askAcp(
  { agent, name }: { agent: AcpAgent; name: string },
  request: AgentRequest,
  box: AgentBox,
): Promise<RawAnswer> {
  box.signal.throwIfAborted()
  const startedAt = performance.now()
  const failing = defer<never>()
  const us = acpClient(request, box, failing.reject)
  let turn: AcpTurn | null = null
  const usage = () => ({
    input_tokens: turn?.tokens.input ?? null,
    output_tokens: turn?.tokens.output ?? null,
    cost: us.updates.cost(),
    seconds: (performance.now() - startedAt) / 1000,
  })
  try {
    turn = await converse({ agent, name, us, request, box, failing })
    box.signal.throwIfAborted()
    return { answer: answerOf(name, us, turn), usage: usage() }
  } catch (error) {
    throw withUsage(box.signal.aborted ? abortedBy(box, name) : error, usage())
  } finally {
    us.updates.end()
  }
}

interface Conversation {
  agent: AcpAgent
  name: string
  us: AcpClient
  request: AgentRequest
  box: AgentBox
  /** Rejected from within a turn: it is over. */
  failing: Deferred<never>
}

/** Starts the program, takes the turn and ends the program, whatever happens: nothing of it is left when this settles. */
async function converse(talk: Conversation): Promise<AcpTurn> {
  const { agent, name, us, box, failing } = talk
  const order = { request: talk.request, box, authMethod: agent.auth_method ?? null }
  const stop = new AbortController()
  const turn = defer<AcpTurn>()
  let stdin: Writable | null = null
  const running = box.run({
    argv: agent.argv,
    stop: stop.signal,
    graceMs: cancelGraceMs,
    talk: (pipes) => {
      stdin = pipes.stdin
      const stream = messageStream(pipes, {
        update: (params) => us.updates.take(params),
        noise: noted(box),
        fault: failing.reject,
      })
      const taken = us.app.connectWith(stream, (them) => takeTurn(them, order))
      Promise.race([taken, failing.promise]).then(turn.resolve, turn.reject)
    },
  })
  // A program that cannot be started never talks.
  running.catch(turn.reject)
  const ended = running.then(
    () => {},
    () => {},
  )
  try {
    return await turn.promise
  } catch (error) {
    // A program that dies closes its pipes before its end is known.
    if (isClosed(error)) await within(endMs, ended)
    stop.abort()
    throw acpFailure({ name, error, outcome: await running })
  } finally {
    endInput(stdin)
    await within(endMs, ended)
    stop.abort()
    await ended
    await us.close()
  }
}

/** Between `session/cancel` and the kill of the whole tree. */
const cancelGraceMs = 2000

/** For a program to end by itself once nobody speaks with it any more. */
const endMs = 500

function endInput(stdin: Writable | null): void {
  stdin?.end()
}

function noted(box: AgentBox): (line: string) => void {
  let lines = 0
  return (line) => {
    lines += 1
    if (lines <= maxNoise) box.record({ kind: 'note', text: 'no message of the protocol', line: line.slice(0, 500) })
  }
}

const maxNoise = 50

/**
 * `refusal` is the agent's own word for "I will not": asking the same again would come to the same. Some adapters also say it after we
 * refused them a permission; then the answer is what they said, and the door complains if that is none.
 */
function answerOf(name: string, us: AcpClient, turn: AcpTurn): RawAnswer['answer'] {
  const text = us.updates.answer()
  if (turn.stopReason === 'refusal' && !us.hasRefused())
    throw new Failure('Agent.Rejected', `${name} refused: ${text.trim().slice(0, 500) || 'it did not say why'}`)
  return { text }
}

function abortedBy({ signal, limitMs }: AgentBox, name: string): unknown {
  if (!isTimeUp(signal)) return signal.reason
  return new Failure('Tool.TimedOut', `${name} was not done within ${Math.round(limitMs / 1000)} s`)
}

function withUsage(error: unknown, usage: RawAnswer['usage']): unknown {
  if (!(error instanceof Failure)) return error
  const { type, message, details } = error
  const complaints = type === 'Agent.InvalidAnswer' ? { complaints: [message] } : {}
  return new Failure(type, message, { details: { ...complaints, ...details, usage } })
}

interface Deferred<T> {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (error: unknown) => void
}

function defer<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> = { resolve: () => {}, reject: () => {} }
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }))
  // Somebody listens later, or has no need to.
  promise.catch(() => null)
  return { promise, ...settle }
}
