import { Failure } from '../../contracts/failures.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import { MAX_ANSWER_BYTES } from '../../rules/answer-json.js'
import type { OpenBackend, RawAnswer } from './backend.js'

/** Any program: the request as one JSON document on stdin, the answer as one on stdout (design.md, Agents). */
export const openCommand: OpenBackend<'command'> = ({ argv }, { name }) => ({
  async ask(request, box) {
    const outcome = await box.run({ argv, stdin: `${JSON.stringify(request)}\n`, keptBytes: MAX_ANSWER_BYTES })
    box.signal.throwIfAborted()
    checkEnd(outcome, name)
    return answerOf(outcome)
  },
})

/** sysexits.h: "temporary failure; the user is invited to try again later". */
const TRY_AGAIN_LATER = 75

function checkEnd(outcome: ProcessOutcome, name: string): void {
  const { exitCode, signal, stopped, durationMs } = outcome
  if (stopped === null && exitCode === 0) return
  // What a program tells nobody, nobody can count.
  const usage = { input_tokens: null, output_tokens: null, cost: null, seconds: durationMs / 1000 }
  const tail = tailOf(outcome.stderr)
  if (stopped !== null)
    throw new Failure('Tool.Failed', `${name} reached the limit of ${stopped.replace('_', ' ')}${tail}`, {
      details: { usage },
    })
  if (exitCode === TRY_AGAIN_LATER)
    throw new Failure('Agent.Unavailable', `${name} cannot answer now (exit code 75)${tail}`, { details: { usage } })
  const end = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
  throw new Failure('Tool.Failed', `${name} ended with ${end}, expected 0${tail}`, { details: { usage } })
}

function tailOf(stderr: string): string {
  const lines = stderr.trim().split('\n').slice(-5).join('\n').slice(-500)
  return lines === '' ? '' : `: ${lines}`
}

/** What is cut in the middle is no answer; that it was too long is said by whoever judges it. */
function answerOf({ stdout, stdoutBytes, durationMs }: ProcessOutcome): RawAnswer {
  const usage = { input_tokens: null, output_tokens: null, cost: null, seconds: durationMs / 1000 }
  if (stdoutBytes <= MAX_ANSWER_BYTES) return { answer: { text: stdout }, usage }
  const words = `stdout has ${stdoutBytes} bytes, expected at most ${MAX_ANSWER_BYTES}`
  throw new Failure('Agent.InvalidAnswer', words, { details: { usage } })
}
