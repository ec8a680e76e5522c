import { RequestError } from '@agentclientprotocol/sdk'
import { ZodError } from 'zod'
import { Failure, type FailureType } from '../../contracts/failures.js'
import type { ProcessOutcome } from '../../contracts/process.js'

/** How a question to an agent ended badly, as far as each side knows. */
export interface BadEnd {
  /** The agent's name, as runs spell it. */
  name: string
  /** What the conversation ended with. */
  error: unknown
  outcome: ProcessOutcome
}

/** An error is a failure of the agent when it comes from the protocol or from its program; anything else is a bug and comes back as it is. */
export function acpFailure(end: BadEnd): unknown {
  const { name, error, outcome } = end
  if (error instanceof Failure) return new Failure(error.type, `${name}: ${error.message}`, { details: error.details })
  if (error instanceof RequestError) return fromRequest(name, error)
  if (error instanceof ZodError) return new Failure('Tool.Failed', `${name}: an answer that is not of the protocol`)
  return isClosed(error) ? crashed(name, outcome) : error
}

/** True for the SDK's words when the program's output has ended. */
export function isClosed(error: unknown): boolean {
  return error instanceof Error && error.message === 'ACP connection closed'
}

function fromRequest(name: string, { code, message, data }: RequestError): Failure {
  const words = `${message} ${typeof data === 'string' ? data : (JSON.stringify(data) ?? '')}`
    .replace(/\s+/g, ' ')
    .trim()
  if (code === authRequired) {
    const advice =
      'log in with the agent itself, name its key in "env" of its definition, or its way to log in in "auth_method"'
    return new Failure('Agent.Rejected', `${name} wants to be logged in (${words.slice(0, 200)}): ${advice}`)
  }
  const type: FailureType = passing.test(words) ? 'Agent.Unavailable' : 'Tool.Failed'
  return new Failure(type, `${name} answered with error ${code}: ${words.slice(0, 500)}`)
}

/** Of the protocol. */
const authRequired = -32000

/** The protocol has no code for what its vendor's server says. */
const passing = /rate.?limit|overloaded|too many requests|\b(429|502|503|504|529)\b/i

function crashed(name: string, { exitCode, signal, stopped, stderr }: ProcessOutcome): Failure {
  const lines = stderr.trim().split('\n').slice(-5).join('\n').slice(-500)
  const tail = lines === '' ? '' : `: ${lines}`
  if (stopped !== null)
    return new Failure('Tool.Failed', `${name} reached the limit of ${stopped.replace('_', ' ')}${tail}`)
  const end = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
  return new Failure('Tool.Failed', `${name} ended with ${end} before it had answered${tail}`)
}
