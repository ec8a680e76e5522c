import { AgentUsage } from '../contracts/agent.js'
import { Failure, type FailureType } from '../contracts/failures.js'
import { NO_USAGE } from '../rules/budget.js'
import { redactValue } from '../rules/redact.js'
import type { Ask } from './ask-call.js'
import { storeTranscript } from './ask-record.js'
import type { AgentRequest, RawAnswer } from './backends/backend.js'
import { type Judged, judgeAnswer, refusal } from './judge-answer.js'
import type { Transcript } from './transcript.js'

/** What a backend's answer is worth. */
export interface Answered {
  judged: Judged
  usage: AgentUsage
}

export interface Question {
  ask: () => Promise<RawAnswer>
  request: AgentRequest
  transcript: Transcript
  redact: (text: string) => string
  signal: AbortSignal
}

/** Puts the question to the backend and judges what comes. What it throws carries usage and transcript, and no secret. */
export async function putQuestion(asked: Ask, question: Question): Promise<Answered> {
  const { request, transcript, redact, signal } = question
  transcript.record({ kind: 'request', agent: asked.order.agent, ...request })
  const startedAt = performance.now()
  try {
    const { answer, usage } = await question.ask()
    transcript.record({ kind: 'answer', ...answer, usage })
    return { judged: judgeAnswer({ role: asked.role, input: asked.input, raw: answer, redact }), usage }
  } catch (error) {
    const known = signal.aborted && isTimedOut(signal.reason) ? timedOut(signal.reason, error) : error
    if (!(known instanceof Failure)) throw withoutSecrets(known, redact)
    const usage = usageOf(known, (performance.now() - startedAt) / 1000)
    transcript.record({ kind: 'note', text: `${known.type}: ${known.message}` })
    if (known.type === 'Agent.InvalidAnswer') return { judged: refusal(complaintsOf(known), redact), usage }
    const text = await storeTranscript(asked.setup.store, asked.order, transcript.text())
    throw failureWithoutSecrets(known, { usage, transcript: text, redact })
  }
}

function isTimedOut(reason: unknown): reason is Failure {
  return reason instanceof Failure && reason.type === 'Tool.TimedOut'
}

/** Whatever a backend says when it is out of time, it was out of time; what it used it may know. */
function timedOut(reason: Failure, error: unknown): Failure {
  const details = error instanceof Failure ? error.details : {}
  return new Failure('Tool.TimedOut', reason.message, { details })
}

function complaintsOf({ details, message }: Failure): readonly string[] {
  const { complaints } = details
  return Array.isArray(complaints) && complaints.length > 0 ? complaints.map(String) : [message]
}

/** What was used by a call that failed: told by the backend, nothing when nobody was reached, else unknown. */
function usageOf({ type, details }: Failure, seconds: number): AgentUsage {
  const told = AgentUsage.safeParse(details['usage'])
  if (told.success) return told.data
  if (UNREACHED.has(type)) return { ...NO_USAGE, seconds }
  return { input_tokens: null, output_tokens: null, cost: null, seconds }
}

const UNREACHED: ReadonlySet<FailureType> = new Set([
  'Agent.Unavailable',
  'Agent.Rejected',
  'Tool.Missing',
  'Contract.Violated',
])

/** Its cause stays behind: causes carry messages of their own into history. */
function failureWithoutSecrets(
  failure: Failure,
  known: { usage: AgentUsage; transcript: unknown; redact: (text: string) => string },
): Failure {
  const { usage, transcript, redact } = known
  const details = redactValue(failure.details, redact) as Record<string, unknown>
  return new Failure(failure.type, redact(failure.message), {
    details: { ...details, usage, transcript },
    ...(failure.retryAfterMs === undefined ? {} : { retryAfterMs: failure.retryAfterMs }),
  })
}

/** A bug, or the machine's: left to surface, in words that are safe. */
function withoutSecrets(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Error)) return new Error(redact(String(error)))
  const safe = new Error(redact(error.message))
  safe.name = error.name
  safe.stack = redact(error.stack ?? '')
  return 'code' in error ? Object.assign(safe, { code: error.code }) : safe
}
