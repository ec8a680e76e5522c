/** Who can be asked, across all pipelines. Each has a file in `src/agents/roles` that is named after it. */
export const ROLES = [
  'code-writer',
  'security-reviewer',
  'quality-checker',
  'performance-analyzer',
  'planner',
  'tester',
  'coder',
  'executor',
  'reviewer',
  'researcher',
  'screener',
  'defect-analyst',
  'devils-advocate',
  'final-reviewer',
  'resurrection-evaluator',
  'code-reviewer',
  'code-verifier',
] as const

/** What a role may do besides answering: nothing, read its worktree, change it, or change it and run programs in it. */
export const ABILITIES = ['none', 'read', 'edit', 'run'] as const
