import type { Look } from '../../src/agents/role.js'
import type { Artifact } from '../../src/contracts/artifact.js'
import type { AcceptanceResult } from '../../src/contracts/phase-answers.js'
import type { TaskBrief } from '../../src/contracts/phase-roles.js'
import { someTask } from './phase-tasks.js'

/** A review that approves. */
export function someReview(overrides: Partial<AcceptanceResult> = {}): AcceptanceResult {
  return {
    codeQuality: { score: 8, issues: [], suggestions: [] },
    bestPractices: { score: 7, issues: [] },
    security: { score: 9, issues: [] },
    documentation: { score: 8, issues: [] },
    overallScore: 8,
    approved: true,
    blockers: [],
    recommendations: ['Add JSDoc comments for public methods'],
    ...overrides,
  }
}

export function someFile(name: string): Artifact {
  return { name, sha256: 'a'.repeat(64), size: 1, media_type: 'text/plain' }
}

/** What an agent of TASK-001 is told. */
export function someBrief(): TaskBrief {
  return {
    task: someTask(1, { title: 'Add the user model', description: 'Users have a name.', artifacts: ['src/user.ts'] }),
    project: { techStack: ['typescript', 'vitest'], structure: 'src/ (3 files)', conventions: '- npm scripts: test' },
    memory: '## Decision [planner]\n- **Task**: TASK-001\n- **Decision**: Use Vitest',
    suggestions: ['Try an empty name'],
    guidance: ['No new dependencies, please.'],
  }
}

/** A worktree and a store of these files, artifacts by name. */
export function someLook(files: Readonly<Record<string, string>>): Look {
  return {
    file: (path) => Promise.resolve(files[path] ?? null),
    artifact: ({ name }) => Promise.resolve(files[name] ?? `(${name})`),
    whole: ({ name }) => Promise.resolve(files[name] ?? `(${name})`),
  }
}
