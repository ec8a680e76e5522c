import { userInfo } from 'node:os'
import { Failure } from '../../contracts/failures.js'
import type { Answer, Question } from '../../contracts/run.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { refuseAnswer } from '../../rules/questions.js'
import { RUN_MESSAGES } from '../../rules/run-messages.js'
import type { AnswerReceipt } from '../../workflows/messages.js'
import { mistake } from '../cli-error.js'
import { argument, type Command, type CommandInput, type Output, textOption } from '../command.js'
import { NO_WORKER } from '../described-run.js'
import { findRun } from '../find-run.js'
import { lookAtRun } from '../look-at-run.js'
import { openRunOnly } from '../open-run-only.js'
import { bounded, isUnanswered, QUERY_MS, withRuns } from '../session.js'
import { checkFolder, giveWorktree, handBack, nextTakeOver, openTakeOver, type Stepped } from '../take-over.js'
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
    {
      flags: '--into <DIR>',
      summary: 'with --option take-over: where to work on the task (default: ./gauntlet-TASK)',
      takesFile: true,
    },
    { flags: '--from <DIR>', summary: 'of a task taken over: go on from what is committed there', takesFile: true },
  ],
  examples: [
    'gauntlet answer my-crash --option report',
    'gauntlet answer my-crash duplicate --option duplicate',
    'gauntlet answer my-change TASK-001-blocked-1 --option take-over --into ./by-hand',
    'gauntlet answer my-change TASK-001-take-over-1-1 --from ./by-hand',
  ],
  run: (context, input) =>
    withRuns(context, async (session) => {
      const run = openRunOnly(await findRun(session, argument(input, 'RUN')))
      const { state } = await lookAtRun(session, run.handle)
      if (state === null) throw new Failure('Tool.Failed', NO_WORKER)
      return await step({ context, session, run, state }, input)
    }),
}

async function step(stepped: Stepped, input: CommandInput): Promise<Output> {
  const { questions } = stepped.state
  const id = input.args['QUESTION'] ?? onlyOpen(questions)
  const takeOver = openTakeOver(questions, id)
  const { into, from, option, text } = words(input)
  if (takeOver !== null && into !== undefined) return await giveWorktree(stepped, takeOver, into)
  if (takeOver !== null && from !== undefined) {
    const commit = await handBack(stepped, takeOver, from)
    return await answered(stepped, answerOf(id, { option: null, text: commit }))
  }
  if (option === 'take-over') return await takeTask(stepped, answerOf(id, { option, text }), into)
  refuseFolders(id, { into, from })
  if (option === null && text === null) throw mistake('--option', '--option KEY or --text TEXT', 'neither')
  return await answered(stepped, answerOf(id, { option, text }))
}

/** They are for tasks taken over only. */
function refuseFolders(question: string, { into, from }: Pick<ReturnType<typeof words>, 'into' | 'from'>): void {
  if (into !== undefined) throw mistake('--into', 'it with --option take-over', `"${question}"`)
  if (from !== undefined) throw mistake('--from', 'it for a task that was taken over', `"${question}"`)
}

function words(input: CommandInput) {
  const [into, from] = [textOption(input, 'into'), textOption(input, 'from')]
  return { into, from, option: textOption(input, 'option') ?? null, text: textOption(input, 'text') ?? null }
}

function answerOf(question: string, said: { option: string | null; text: string | null }): Answer {
  return { question, ...said, by: userInfo().username }
}

/** Says yes only to what can be kept: a folder that will not do is refused before the run hears of it. */
async function takeTask(stepped: Stepped, answer: Answer, into: string | undefined): Promise<Output> {
  const task = answer.question.replace(/-blocked-\d+$/, '')
  refuse(stepped, answer)
  await checkFolder(stepped.context, task, into)
  await send(stepped, answer)
  return await giveWorktree(stepped, await nextTakeOver(stepped, task), into)
}

async function answered(stepped: Stepped, answer: Answer): Promise<Output> {
  refuse(stepped, answer)
  const receipt = await send(stepped, answer)
  return { exit: EXIT.good, json: receipt, text: `${stepped.run.workflowId}: ${answer.question} answered` }
}

function refuse({ state }: Stepped, answer: Answer): void {
  const refusal = refuseAnswer(state.questions, answer)
  if (refusal !== null) throw new Failure('Contract.Violated', refusal)
}

async function send({ session, run }: Stepped, answer: Answer): Promise<AnswerReceipt> {
  try {
    return await bounded(session, QUERY_MS, () =>
      run.handle.executeUpdate<AnswerReceipt, [Answer]>(RUN_MESSAGES.answer, { args: [answer] }),
    )
  } catch (error) {
    throw asFailure(error)
  }
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
