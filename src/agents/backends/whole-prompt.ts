import type { AgentRequest } from './backend.js'

/** The prompt with what the `command` contract tells beside it: the answer's schema and what was wrong with the previous answer. */
export function wholePrompt(request: AgentRequest, howToAnswer: string = 'as your last message'): string {
  const schema = JSON.stringify(request.answer_schema)
  return [
    request.prompt.trimEnd(),
    `Answer ${howToAnswer}: one JSON document and nothing around it, that fits this JSON Schema:\n\n${schema}`,
    ...(request.complaints.length === 0 ? [] : [complained(request.complaints)]),
  ].join('\n\n')
}

function complained(complaints: readonly string[]): string {
  return ['Your previous answer was refused. Give it again, mended:', ...complaints.map((line) => `- ${line}`)].join(
    '\n',
  )
}
