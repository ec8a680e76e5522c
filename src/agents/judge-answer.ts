import { Failure } from '../contracts/failures.js'
import { parseContract } from '../contracts/parse.js'
import { type AnswersInText, answersIn, isTooDeep, MAX_ANSWER_BYTES, MAX_ANSWER_DEPTH } from '../rules/answer-json.js'
import { redactValue } from '../rules/redact.js'
import type { RawAnswer } from './backends/backend.js'
import type { Role } from './role.js'

/** `answer` has been validated, and holds no secret. */
export type Judged =
  | { status: 'good'; answer: unknown; extract: unknown }
  | { status: 'refused'; complaints: readonly string[] }

export interface JudgeOrder {
  role: Role
  /** By the role's input contract. */
  input: unknown
  raw: RawAnswer['answer']
  redact: (text: string) => string
}

/**
 * Leniently finds the answer in what came, then validates it strictly: of several documents the last one that fits the role's
 * contract. Complaints are sentences for the agent.
 */
export function judgeAnswer(order: JudgeOrder): Judged {
  const { documents, complaint } = documentsOf(order.raw)
  const shaped = documents.map((document) => shape(order, document))
  const fitting = shaped.findLast((each) => 'answer' in each)
  if (fitting !== undefined) return weigh(order, fitting.answer)
  const issues = shaped.at(-1)?.issues ?? []
  return refusal([...(complaint === null ? [] : [complaint]), ...issues], order.redact)
}

function documentsOf(raw: RawAnswer['answer']): AnswersInText {
  if (!('text' in raw)) {
    const tooDeep = `the answer is nested more than ${MAX_ANSWER_DEPTH} levels deep`
    return isTooDeep(raw.value) ? { documents: [], complaint: tooDeep } : { documents: [raw.value], complaint: null }
  }
  const bytes = Buffer.byteLength(raw.text)
  if (bytes <= MAX_ANSWER_BYTES) return answersIn(raw.text)
  return { documents: [], complaint: `the answer has ${bytes} bytes, expected at most ${MAX_ANSWER_BYTES}` }
}

type Shaped = { answer: unknown; issues?: undefined } | { issues: readonly string[] }

function shape({ role, redact }: JudgeOrder, document: unknown): Shaped {
  try {
    return { answer: parseContract(role.answer, redactValue(document, redact), 'answer') }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { issues: issuesOf(error) }
  }
}

function issuesOf({ details, message }: Failure): readonly string[] {
  const { issues } = details
  return Array.isArray(issues) ? issues.map(String) : [message]
}

/** What the shape cannot say; and an answer whose essentials do not fit into history is too long. */
function weigh({ role, input, redact }: JudgeOrder, answer: unknown): Judged {
  const complaints = role.check?.(answer, input) ?? []
  if (complaints.length > 0) return refusal(complaints, redact)
  const extract = role.extract(answer, input)
  const bytes = Buffer.byteLength(JSON.stringify(extract) ?? 'null')
  if (bytes <= MAX_EXTRACT_BYTES) return { status: 'good', answer, extract }
  return refusal(
    [`the answer is too long: its essentials take ${bytes} bytes, expected at most ${MAX_EXTRACT_BYTES}`],
    redact,
  )
}

const MAX_EXTRACT_BYTES = 16 * 1024

/** Complaints quote the answer, so that they are redacted too. */
export function refusal(
  complaints: readonly string[],
  redact: (text: string) => string,
): Extract<Judged, { status: 'refused' }> {
  return { status: 'refused', complaints: complaints.slice(0, 20).map((each) => redact(each).slice(0, 1_000)) }
}
