import type { Question, RunState, Step } from '../contracts/run.js'
import { STEP_MARKS } from './step-marks.js'

/** The run as Markdown for the Temporal UI's "current details": state, steps, and what a person is asked. */
export function describeRun(state: RunState): string {
  const head = `**${state.pipeline}** · ${state.verdict ?? state.status} · ${state.phase}`
  const open = state.questions.filter((question) => question.answer === null)
  return [head, '', ...state.steps.map(describeStep), ...open.flatMap(describeQuestion)].join('\n')
}

function describeStep(step: Step): string {
  const attempt = step.attempt > 1 ? ` (attempt ${step.attempt})` : ''
  const note = step.note === null ? '' : `: ${oneLine(step.note)}`
  return `- ${STEP_MARKS[step.status]} ${step.name} ${step.status}${attempt}${note}`
}

function describeQuestion(question: Question): string[] {
  const options = question.options.map((option) => `\`${option.key}\` ${option.label}`).join(', ')
  return [
    '',
    `**Waiting: ${oneLine(question.title)}**`,
    oneLine(question.detail),
    `Answer with the signal or update \`answer\`: \`{"question": "${question.id}", "option": "…"}\`; ${options}.`,
    `Without an answer by ${question.deadline}: \`${question.default}\`.`,
  ]
}

/** Text from tools may hold Markdown and line breaks; here it is one plain line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s`*_<>[\]|]+/g, ' ').trim()
}
