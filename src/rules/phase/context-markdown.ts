import type { ContextEntry } from '../../contracts/phase-context.js'

/** An entry in the seed's form (001, 5.2 and 5.10), without a line break at its end. The same entry is always the same bytes. */
export function renderEntry(entry: ContextEntry): string {
  switch (entry.kind) {
    case 'decision':
      return block(`Decision [${entry.agent}]`, [
        ['Task', entry.task],
        ['Decision', entry.description],
        ['Reason', entry.reason],
        ['Impact', entry.impact],
      ])
    case 'file_change':
      return block(`File Change [${entry.agent}]`, [
        ['Task', entry.task],
        ['Action', entry.action],
        ['File', entry.file],
        ['Purpose', entry.purpose],
      ])
    case 'suggestion':
      return block(`Suggestion [${entry.agent}]`, [
        ['Task', entry.task],
        ['Suggestion', entry.suggestion],
        ['For', `${PHASE_NAMES[entry.for]} phase`],
      ])
    case 'accept_complete':
      return block(`Accept Complete [${entry.agent}]`, [
        ['Task', entry.task],
        ['Score', `${entry.score}/10`],
        ['Approved', entry.approved ? 'Yes' : 'No'],
        ...(entry.recommendations.length === 0 ? [] : [['Recommendations', entry.recommendations.join('; ')] as const]),
      ])
    case 'complete':
      return [`## ${PHASE_NAMES[entry.phase]} Complete`, ...entry.lines.map((line) => `- ${oneLine(line)}`)].join('\n')
    default:
      return entry satisfies never
  }
}

/** As the seed writes them. */
export const PHASE_NAMES = {
  planning: 'Planning',
  research: 'Research',
  tdd: 'TDD',
  develop: 'Develop',
  verify: 'Verify',
  accept: 'Accept',
} as const

function block(heading: string, fields: readonly (readonly [string, string])[]): string {
  return [`## ${heading}`, ...fields.map(([name, value]) => `- **${name}**: ${oneLine(value)}`)].join('\n')
}

/** What agents write must not become a heading or an entry of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
