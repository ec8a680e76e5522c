import { userInfo } from 'node:os'
import { Failure } from '../../contracts/failures.js'
import type { Answer, Question } from '../../contracts/run.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { refuseAnswer } from '../../rules/questions.js'
import { RUN_MESSAGES } from '../../rules/run-messages.js'
import type { AnswerReceipt } from '../../workflows/messages.js'
import { mistake } from '../cli-error.js'
import { argument, type Command, type CommandInput, textOption } from '../command.js'
import { NO_WORKER } from '../described-run.js'
import { findRun } from '../find-run.js'
import { lookAtRun } from '../look-at-run.js'
import { openRunOnly } from '../open-run-only.js'
import { bounded, isUnanswered, QUERY_MS, withRuns } from '../session.js'
import { RUN } from './run-argument.js'

export const answerCommand: Command = {
  path: ['answer'],
  summary: 'answer what a run asks',
  arguments: [
    RUN,
    { name: 'QUESTION', summary: "the question's id; may be left out when only one is open", isOptional: true },
  ],
  options: [
    { flags: '--option <KEY>', summary: 'one of the options' },
    { flags: '--text <TEXT>', summary: 'free text: the information asked for, or a remark' },
  ],
  examples: ['gauntlet answer my-crash --option report', 'gauntlet answer my-crash duplicate --option duplicate'],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      const { state } = await lookAtRun(session, run.handle)
      if (state === null) throw new Failure('Tool.Failed', NO_WORKER)
      const answer = answerOf(input, state.questions)
      const refusal = refuseAnswer(state.questions, answer)
      if (refusal !== null) throw new Failure('Contract.Violated', refusal)
      try {
        const receipt = await bounded(session, QUERY_MS, () =>
          run.handle.executeUpdate<AnswerReceipt, [Answer]>(RUN_MESSAGES.answer, { args: [answer] }),
        )
        return { exit: EXIT.good, json: receipt, text: `${run.workflowId}: ${answer.question} answered` }
      } catch (error) {
        throw asFailure(error)
      }
    }),
}

function answerOf(input: CommandInput, questions: readonly Question[]): Answer {
  const option = textOption(input, 'option') ?? null
  const text = textOption(input, 'text') ?? null
  if (option === null && text === null) throw mistake('--option', '--option KEY or --text TEXT', 'neither')
  return { question: input.args['QUESTION'] ?? onlyOpen(questions), option, text, by: userInfo().username }
}

function onlyOpen(questions: readonly Question[]): string {
  const open = questions.filter((question) => question.answer === null).map((question) => question.id)
  const [first, ...others] = open
  if (first === undefined) throw mistake('QUESTION', 'an open question', 'a run that asks nothing')
  if (others.length > 0) throw mistake('QUESTION', `one of ${open.join(', ')}`, 'nothing')
  return first
}

/** Between our look and the answer, the deadline or another person may have closed it: the run's own refusal is then the line. */
function asFailure(error: unknown): unknown {
  if (isUnanswered(error)) return new Failure('Tool.Failed', NO_WORKER, { cause: error })
  const isRefusal = error instanceof Error && error.name === 'WorkflowUpdateFailedError'
  const refusal = isRefusal && error.cause instanceof Error ? error.cause.message : null
  return refusal === null ? error : new Failure('Contract.Violated', refusal, { cause: error })
}
