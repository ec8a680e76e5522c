import { expect, it } from 'vitest'
import type { AgentAssignments } from '../../src/contracts/agent.js'
import { agentFor, agentsNamed } from '../../src/rules/agent-choice.js'

const rows: AgentAssignments = [
  { role: 'coder', agent: 'first' },
  { role: '*', agent: 'all' },
  { role: 'reviewer', agent: 'builtin' },
]

it.each([
  ['coder', rows, 'all'],
  ['reviewer', rows, 'builtin'],
  ['planner', rows, 'all'],
  ['coder', [...rows, { role: 'coder', agent: 'last' }], 'last'],
  ['reviewer', [...rows, { role: '*', agent: 'last' }], 'last'],
  ['planner', [], 'builtin'],
  ['planner', [{ role: 'coder', agent: 'x' }], 'builtin'],
] as const)('the last row that fits the %s in %j is %s', (role, assignments, agent) => {
  expect(agentFor(role, [...assignments])).toBe(agent)
})

it('every agent that is named is named once', () => {
  expect(agentsNamed([...rows, ...rows])).toEqual(['all', 'builtin', 'first'])
})
