import type { Task } from '../../contracts/phase.js'

export type Isolation = 'worktree' | undefined
export type IsolationMode = 'auto' | 'always'

/** Seed 001, 5.3, as globs on the base name: 'package.json' of every package counts, 'vite.config.ts' is no 'config.*'. */
const CRITICAL_FILES = ['package.json', 'tsconfig.json', 'config.*'] as const

/**
 * Where a task's work lands: `worktree` is a branch of its own, merged when it is accepted; `undefined` starts from the run's
 * branch and moves it. A tester's task always has its own: tests that are red by purpose must not stand in others' way.
 */
export function isolationOf(
  task: Pick<Task, 'estimatedComplexity' | 'artifacts' | 'agentType'>,
  mode: IsolationMode,
): Isolation {
  if (mode === 'always' || task.estimatedComplexity === 'high' || task.agentType === 'tester') return 'worktree'
  return task.artifacts.some(isCritical) ? 'worktree' : undefined
}

function isCritical(path: string): boolean {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  return CRITICAL_FILES.some((glob) => (glob.endsWith('*') ? name.startsWith(glob.slice(0, -1)) : name === glob))
}
