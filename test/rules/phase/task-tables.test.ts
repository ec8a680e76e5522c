import { describe, expect, it } from 'vitest'
import { SubagentTask } from '../../../src/contracts/phase-agent-result.js'
import { AgentType, Complexity, PhaseType, type Task, TaskStatus } from '../../../src/contracts/phase.js'
import { isolationOf } from '../../../src/rules/phase/isolation.js'
import { phasesOf } from '../../../src/rules/phase/phases-of.js'
import { SUBAGENT_TYPES, subagentTask } from '../../../src/rules/phase/subagent-task.js'
import { moveTask, STATUS_IN_PHASE, TRANSITIONS } from '../../../src/rules/phase/task-status.js'
import { isTestFile } from '../../../src/rules/phase/test-files.js'
import { timeoutFor } from '../../../src/rules/phase/timeouts.js'
import { someTask } from '../../support/phase-tasks.js'

describe('timeouts', () => {
  it.each([
    ['tdd', 'low', 180_000],
    ['tdd', 'medium', 300_000],
    ['tdd', 'high', 600_000],
    ['develop', 'low', 300_000],
    ['develop', 'medium', 600_000],
    ['develop', 'high', 1_200_000],
    ['verify', 'low', 300_000],
    ['verify', 'medium', 300_000],
    ['verify', 'high', 300_000],
    ['accept', 'low', 180_000],
    ['accept', 'medium', 180_000],
    ['accept', 'high', 180_000],
  ] as const)('%s of %s complexity: %i ms', (phase, complexity, ms) => {
    expect(timeoutFor(phase, complexity)).toBe(ms)
  })

  it('there is one for every phase and complexity', () => {
    const all = PhaseType.options.flatMap((phase) => Complexity.options.map((each) => timeoutFor(phase, each)))
    expect(all).toHaveLength(12)
  })
})

describe('isolation', () => {
  it.each<[string, Partial<Task>, 'worktree' | undefined]>([
    ['low complexity', {}, undefined],
    ['medium complexity', { estimatedComplexity: 'medium' }, undefined],
    ['high complexity', { estimatedComplexity: 'high' }, 'worktree'],
    ['package.json', { artifacts: ['src/a.ts', 'package.json'] }, 'worktree'],
    ["a workspace's package.json", { artifacts: ['packages/a/package.json'] }, 'worktree'],
    ['tsconfig.json', { artifacts: ['tsconfig.json'] }, 'worktree'],
    ['config.ts', { artifacts: ['src/config.ts'] }, 'worktree'],
    ['config.prod.json', { artifacts: ['config.prod.json'] }, 'worktree'],
    ['config without a dot', { artifacts: ['src/config'] }, undefined],
    ['vite.config.ts', { artifacts: ['vite.config.ts'] }, undefined],
    ['a folder named config.d', { artifacts: ['config.d/a.ts'] }, undefined],
    ['package.json5', { artifacts: ['package.json5'] }, undefined],
    ["a tester's task", { agentType: 'tester' }, 'worktree'],
  ])('for %s', (_, task, expected) => {
    expect(isolationOf(someTask(1, task), 'auto')).toBe(expected)
    expect(isolationOf(someTask(1, task), 'always')).toBe('worktree')
  })
})

describe('phases of a task', () => {
  const facts = { tdd: true, hasQuestion: false, hasTests: false }

  it.each([
    ['coder', ['tdd', 'develop', 'verify', 'accept']],
    ['tester', ['tdd']],
    ['researcher', ['research']],
    ['reviewer', ['accept']],
    ['executor', ['verify']],
    ['planner', ['plan']],
  ] as const)('a %s has %j', (agentType, phases) => {
    expect(phasesOf({ ...facts, agentType })).toEqual(phases)
  })

  it.each([
    ['without TDD', { tdd: false }],
    ["with a tester's task before it", { hasTests: true }],
  ])('a coder %s begins with Develop', (_, more) => {
    expect(phasesOf({ ...facts, ...more, agentType: 'coder' })).toEqual(['develop', 'verify', 'accept'])
  })

  it('a tester writes tests at every quality level', () => {
    expect(phasesOf({ ...facts, tdd: false, agentType: 'tester' })).toEqual(['tdd'])
  })

  it('a question is asked of a researcher first', () => {
    expect(phasesOf({ ...facts, hasQuestion: true, agentType: 'coder' })[0]).toBe('research')
    expect(phasesOf({ ...facts, hasQuestion: true, agentType: 'researcher' })).toEqual(['research'])
  })

  it('every agent type has at least one, and each has its status', () => {
    for (const agentType of AgentType.options)
      for (const phase of phasesOf({ ...facts, agentType }))
        expect(TaskStatus.options).toContain(STATUS_IN_PHASE[phase])
  })
})

describe('the status of a task', () => {
  it.each([
    ['pending', 'scheduled'],
    ['scheduled', 'in_progress'],
    ['in_progress', 'verify'],
    ['verify', 'accept'],
    ['accept', 'completed'],
    ['in_progress', 'blocked'],
    ['blocked', 'waiting'],
    ['failed', 'retry_queue'],
    ['retry_queue', 'pending'],
    ['scheduled', 'pending'],
    ['blocked', 'pending'],
    ['verify', 'in_progress'],
    ['accept', 'in_progress'],
  ] as const)('goes from %s to %s', (from, to) => {
    expect(moveTask(from, to)).toBe(to)
  })

  it.each([
    ['pending', 'completed'],
    ['pending', 'verify'],
    ['in_progress', 'skipped'],
    ['completed', 'in_progress'],
    ['blocked', 'completed'],
    ['skipped', 'pending'],
  ] as const)('never goes from %s to %s', (from, to) => {
    expect(() => moveTask(from, to)).toThrow(`a task that is ${from} cannot become ${to}`)
  })

  it('may fail from everywhere but an end', () => {
    const ends = ['completed', 'skipped', 'failed', 'retry_queue']
    const others = TaskStatus.options.filter((each) => !ends.includes(each))
    for (const status of others) expect(TRANSITIONS[status]).toContain('failed')
  })
})

describe('a subagent task', () => {
  it.each([
    ['planner', 'Plan'],
    ['coder', 'general-purpose'],
    ['tester', 'general-purpose'],
    ['reviewer', 'general-purpose'],
    ['researcher', 'Explore'],
    ['executor', 'general-purpose'],
  ] as const)('of a %s is a %s', (agentType, type) => {
    expect(SUBAGENT_TYPES[agentType]).toBe(type)
  })

  it("has the seed's fields", () => {
    const task = someTask(1, { title: 'Add a model', estimatedComplexity: 'high' })
    const made = subagentTask({ task, phase: 'tdd', prompt: 'go', isolation: 'auto', approvals: ['merge'] })
    expect(SubagentTask.parse(made)).toEqual({
      subagent_type: 'general-purpose',
      description: 'TDD TASK-001: Add a model',
      prompt: 'go',
      isolation: 'worktree',
      taskId: 'TASK-001',
      agentType: 'coder',
      timeout: 600_000,
      needsApproval: false,
    })
  })

  it('has no isolation when it needs none, and an approval when the merge is asked about', () => {
    const order = { task: someTask(1), prompt: '', isolation: 'auto', approvals: ['merge'] } as const
    expect(subagentTask({ ...order, phase: 'accept' })).not.toHaveProperty('isolation')
    expect(subagentTask({ ...order, phase: 'accept' }).needsApproval).toBe(true)
    expect(subagentTask({ ...order, phase: 'accept', approvals: ['plan'] }).needsApproval).toBe(false)
  })
})

describe('a test file', () => {
  it.each([
    'tests/user.test.ts',
    'src/a.spec.jsx',
    'src/a_test.go',
    'test_a.py',
    'pkg/conftest.py',
    '__tests__/a.js',
    'test/fixtures/data.json',
    'src/__snapshots__/a.snap',
    'a.test.mjs',
    'src/FooTest.java',
    'spec/foo_spec.rb',
  ])('is %s', (path) => {
    expect(isTestFile(path)).toBe(true)
  })

  it.each(['src/models/user.ts', 'src/latest.ts', 'contest.py', 'src/test.ts', 'src/attest_a.py', 'package.json'])(
    'is not %s',
    (path) => {
      expect(isTestFile(path)).toBe(false)
    },
  )
})
