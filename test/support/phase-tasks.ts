import type { Task } from '../../src/contracts/phase.js'

/** 'TASK-007' of 7. */
export function taskId(number: number): string {
  return `TASK-${String(number).padStart(3, '0')}`
}

/** A task that nothing is wrong with. */
export function someTask(number: number, overrides: Partial<Task> = {}): Task {
  return {
    id: taskId(number),
    title: `Task ${number}`,
    description: 'Do it.',
    dependencies: [],
    priority: 5,
    estimatedComplexity: 'low',
    agentType: 'coder',
    artifacts: [],
    ...overrides,
  }
}
