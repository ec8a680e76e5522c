/** Seed 001, 5.1. */
export const AGENT_TYPES = ['planner', 'coder', 'tester', 'reviewer', 'researcher', 'executor'] as const

/** In the order in which a task goes through those it has. */
export const TASK_PHASES = ['plan', 'research', 'tdd', 'develop', 'verify', 'accept'] as const

/** Words of a task's life. `skipped` is a person's word and not in the book's table: it is neither failed nor completed. */
export const TASK_STATUSES = [
  'pending',
  'scheduled',
  'in_progress',
  'blocked',
  'waiting',
  'verify',
  'accept',
  'completed',
  'failed',
  'retry_queue',
  'skipped',
] as const
