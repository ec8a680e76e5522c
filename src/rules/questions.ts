import type { Answer, Question } from '../contracts/run.js'

/** Why an answer cannot be taken, or null when it can. Runs in an update validator: synchronous, plain checks. */
export function refuseAnswer(questions: readonly Question[], answer: Answer): string | null {
  const name = typeof answer?.question === 'string' ? answer.question : ''
  const question = questions.find((each) => each.id === name)
  if (question === undefined) return `question: expected one of ${listIds(questions)}, got "${name}"`
  if (question.answer !== null) return `question: "${question.id}" was closed with "${question.answer}"`
  if (question.kind === 'information') return refuseText(answer)
  const keys = question.options.map((option) => option.key)
  if (keys.includes(answer.option ?? '')) return null
  return `option: expected one of ${keys.join(', ')}, got "${answer.option ?? ''}"`
}

/** What closes the question: the option's key, or the text of an `information` question. */
export function answerValue(question: Question, answer: Answer): string {
  return question.kind === 'information' ? (answer.text ?? answer.option ?? '') : (answer.option ?? '')
}

function refuseText(answer: Answer): string | null {
  const text = answer.text ?? answer.option ?? ''
  return text.trim() === '' ? 'text: expected the information asked for, got nothing' : null
}

function listIds(questions: readonly Question[]): string {
  const open = questions.filter((question) => question.answer === null).map((question) => question.id)
  return open.length === 0 ? 'no open question' : open.join(', ')
}
