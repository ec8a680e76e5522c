import type { AgentAssignments, AgentName, RoleName } from '../contracts/agent.js'

/** Who answers for a role: the last row that fits, '*' fits every role; real programs where nobody is named. */
export function agentFor(role: RoleName, assignments: AgentAssignments): AgentName {
  return assignments.findLast((row) => row.role === role || row.role === '*')?.agent ?? 'builtin'
}

/** Every agent that the rows name, once. */
export function agentsNamed(assignments: AgentAssignments): AgentName[] {
  return [...new Set(assignments.map((row) => row.agent))].sort()
}
