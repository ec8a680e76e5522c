import { condition, setHandler, sleep, CancellationScope } from '@temporalio/workflow'
import type { Answer, Question } from '../contracts/run.js'
import { answerValue, refuseAnswer } from '../rules/questions.js'
import { type AnswerReceipt, answerSignal, answerUpdate } from './messages.js'
import { now, type Run } from './run.js'

export type QuestionDraft = Pick<Question, 'id' | 'kind' | 'title' | 'detail' | 'options' | 'default'>

/** Lets people answer: the update refuses what does not fit, the signal (all the Temporal UI has) ignores it. */
export function takeAnswers(run: Run): void {
  setHandler(answerUpdate, (answer) => close(run, answer), {
    validator: (answer) => {
      const refusal = refuseAnswer(run.state.questions, answer)
      if (refusal !== null) throw new Error(refusal)
    },
  })
  setHandler(answerSignal, (answer) => {
    if (refuseAnswer(run.state.questions, answer) === null) close(run, answer)
  })
}

/**
 * Opens a question and waits for its answer, its deadline (a durable timer, after which its default stands) or an abort.
 * `withinSeconds` 0 takes the default at once: nobody is there to ask.
 */
export async function ask(run: Run, draft: QuestionDraft, withinSeconds: number): Promise<string> {
  const deadline = new Date(Date.now() + withinSeconds * 1000).toISOString()
  const question: Question = { ...draft, deadline, answer: null, answered_by: null }
  run.state.questions.push(question)
  if (withinSeconds > 0) {
    run.show()
    await waitForAnswer(run, question, withinSeconds)
  }
  question.answered_by ??= question.answer === null ? 'default' : 'a person'
  question.answer ??= question.default
  run.show()
  return question.answer
}

async function waitForAnswer(run: Run, question: Question, withinSeconds: number): Promise<void> {
  const isOver = () => question.answer !== null || run.abortReason !== null
  await CancellationScope.cancellable(async () => {
    const deadline = sleep(withinSeconds * 1000, { summary: `deadline: ${question.id}` }).then(() => 'late')
    await Promise.race([condition(isOver), deadline])
    CancellationScope.current().cancel()
    await deadline.catch(() => 'answered')
  })
}

function close(run: Run, answer: Answer): AnswerReceipt {
  const question = run.state.questions.find((each) => each.id === answer.question)
  if (question === undefined) throw new Error('the validator let an unknown question pass')
  question.answer = answerValue(question, answer)
  question.answered_by = answer.by ?? `a person at ${now()}`
  run.show()
  return { question: question.id, answer: question.answer }
}
