import type { SubagentTask } from '../../contracts/phase-agent-result.js'
import type { AgentType, PhaseType, Task } from '../../contracts/phase.js'
import { PHASE_NAMES } from './context-markdown.js'
import { isolationOf, type IsolationMode } from './isolation.js'
import { timeoutFor } from './timeouts.js'

/** Seed 001, 5.3. */
export const SUBAGENT_TYPES = {
  planner: 'Plan',
  coder: 'general-purpose',
  tester: 'general-purpose',
  reviewer: 'general-purpose',
  researcher: 'Explore',
  executor: 'general-purpose',
} as const satisfies Record<AgentType, SubagentTask['subagent_type']>

export interface SubagentOrder {
  task: Task
  phase: PhaseType
  prompt: string
  isolation: IsolationMode
  /** What the run asks a person about. */
  approvals: readonly ('plan' | 'merge')[]
}

/** Seed 001, 5.3: `prepareSubagentTask`. What comes out of Accept is what a merge approval is about. */
export function subagentTask({ task, phase, prompt, isolation, approvals }: SubagentOrder): SubagentTask {
  const own = isolationOf(task, isolation)
  return {
    subagent_type: SUBAGENT_TYPES[task.agentType],
    description: `${PHASE_NAMES[phase]} ${task.id}: ${task.title}`,
    prompt,
    ...(own === undefined ? {} : { isolation: own }),
    taskId: task.id,
    agentType: task.agentType,
    timeout: timeoutFor(phase, task.estimatedComplexity),
    needsApproval: phase === 'accept' && approvals.includes('merge'),
  }
}
