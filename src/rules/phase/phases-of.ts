import type { AgentType, TaskPhase } from '../../contracts/phase.js'

/** pipelines.md, phase 9: what kind of work an agent's task is. */
const PHASES = {
  planner: ['plan'],
  researcher: ['research'],
  tester: ['tdd'],
  coder: ['tdd', 'develop', 'verify', 'accept'],
  executor: ['verify'],
  reviewer: ['accept'],
} as const satisfies Record<AgentType, readonly TaskPhase[]>

export interface PhaseFacts {
  agentType: AgentType
  /** Of the quality level: without it no tests are asked of a coder's task. */
  tdd: boolean
  /** True when the task asks a researcher something first. */
  hasQuestion: boolean
  /** True when a tester's task that this one depends on has left tests that were seen red. */
  hasTests: boolean
}

/** Which phases a task goes through, in order. A tester's task is TDD at every quality level: it is all that it does. */
export function phasesOf({ agentType, tdd, hasQuestion, hasTests }: PhaseFacts): TaskPhase[] {
  const isWritten = agentType === 'coder' && (!tdd || hasTests)
  const phases = PHASES[agentType].filter((phase) => phase !== 'tdd' || !isWritten)
  return hasQuestion && agentType !== 'researcher' ? ['research', ...phases] : phases
}
