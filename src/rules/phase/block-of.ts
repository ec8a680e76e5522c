import type { BlockInfo } from '../../contracts/phase-answers.js'
import { STILL_RED } from './agent-results.js'
import type { TaskAction } from './decide-task.js'

export interface BlockFacts {
  ask: Extract<TaskAction, { do: 'ask' }>
  /** What the last attempt came to, one line. */
  complaint: string | null
  /** What the agent said it is missing. */
  said: BlockInfo | null
}

/** Why a person is asked about a task. The seed's own words where the tests stay red; an agent's own where it said so. */
export function blockOf({ ask, complaint, said }: BlockFacts): BlockInfo {
  if (ask.because === 'blocked' && said !== null) return { ...said, type: ask.type }
  if (ask.because === 'still_red')
    return { ...STILL_RED, missingInfo: [...STILL_RED.missingInfo, ...(complaint === null ? [] : [complaint])] }
  return { reason: complaint ?? REASONS[ask.because] ?? ask.because, type: ask.type, missingInfo: [] }
}

const REASONS: Readonly<Record<string, string>> = {
  conflict: 'The accepted work could not be merged',
  blocked: 'The agent cannot go on',
  failed: 'The agent could not be asked',
}

/** What a researcher is asked when a phase does not succeed. */
export function diagnosisQuestion({
  ask,
  complaint,
  said,
}: Omit<BlockFacts, 'ask'> & { ask: { phase: string } }): string {
  const missing =
    said === null ? [] : [`The agent says: ${said.reason}`, ...said.missingInfo.map((each) => `It lacks: ${each}`)]
  return [
    `Why does the ${ask.phase} phase of this task not succeed, and what exactly should the next attempt do?`,
    ...(complaint === null ? [] : [`The last attempt: ${complaint}`]),
    ...missing,
  ].join('\n')
}
