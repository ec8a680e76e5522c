import type { TaskOutline, TaskSnapshot } from '../../contracts/phase-task.js'
import type { AgentType } from '../../contracts/phase.js'

/** What a completed task has come to, in one line. */
export function completionNote({ agentType }: TaskOutline, snapshot: TaskSnapshot): string {
  return NOTES[agentType](snapshot)
}

const NOTES: Record<AgentType, (snapshot: TaskSnapshot) => string> = {
  coder: ({ progress, review }) => {
    const seen = progress.seenRed ? 'seen red and green' : 'green'
    return `${seen}, gates passed, reviewed ${review?.overallScore ?? '?'}/10`
  },
  tester: ({ tests }) => `${tests.length} files of tests, seen red`,
  reviewer: ({ review }) => `reviewed ${review?.overallScore ?? '?'}/10`,
  executor: () => 'the gates passed',
  researcher: ({ entries }) =>
    entries.flatMap((entry) => (entry.kind === 'complete' ? entry.lines : []))[0] ?? 'answered',
  planner: () => 'planned',
}
