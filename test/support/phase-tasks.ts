import type { TaskOutline, TaskSnapshot } from '../../src/contracts/phase-task.js'
import type { Task } from '../../src/contracts/phase.js'
import { startTask } from '../../src/rules/phase/decide-task.js'

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

export function someOutline(number: number, overrides: Partial<TaskOutline> = {}): TaskOutline {
  const { id, title, dependencies, priority, estimatedComplexity, agentType } = someTask(number)
  const outline = { id, title, dependencies, priority, estimatedComplexity, agentType }
  return { ...outline, isolated: false, has_question: false, ...overrides }
}

/** A coder's task that was begun, with nothing done yet. */
export function someSnapshot(overrides: Partial<TaskSnapshot> = {}): TaskSnapshot {
  const base = 'a'.repeat(40)
  return {
    progress: startTask(['develop', 'verify', 'accept']),
    base,
    commit: base,
    phase_start: base,
    red: null,
    tests: [],
    red_tests: [],
    rounds: {},
    entries: [],
    complaint: null,
    report: null,
    research: null,
    conflicts: [],
    quality: null,
    review: null,
    review_artifact: null,
    results: {},
    caught: [],
    unsandboxed: false,
    nested: null,
    ...overrides,
  }
}
