import type { Artifact } from '../../contracts/artifact.js'
import type { TaskSnapshot } from '../../contracts/phase-task.js'
import type { ProjectedFile } from '../../contracts/run.js'
import { type Memory, readGlobalContext, readTaskContext } from './context-manager.js'
import { TASK_PHASES } from './words.js'

export interface PhaseFiles {
  memory: Memory
  /** The plan's tasks by their ids. */
  tasks: ReadonlyMap<string, { snapshot: Pick<TaskSnapshot, 'results'> | null }>
  run: { state: { artifacts: readonly Artifact[] } }
}

/**
 * Seed 001, 5.10: the memory as files, whole, and beside it the plan, how the agents' parts ended, and what Verify and Accept came
 * to. None of it is for a commit.
 */
export function projectPhase({ memory, tasks, run }: PhaseFiles): ProjectedFile[] {
  const own = [...tasks].flatMap(([id, { snapshot }]) => [
    { path: `.openmatrix/tasks/${id}/context.md`, text: readTaskContext(memory, id) },
    { path: `.openmatrix/tasks/${id}/results.json`, text: resultsOf(snapshot) },
  ])
  const files = [{ path: '.openmatrix/context.md', text: readGlobalContext(memory) }, ...own].filter(
    ({ text }) => text !== '',
  )
  const artifacts = run.state.artifacts
    .filter(({ name }) => name.startsWith('.openmatrix/'))
    .map((artifact) => ({ path: artifact.name, artifact }))
  const all = [...files, ...artifacts]
  return all.length === 0 ? [] : [{ path: '.openmatrix/.gitignore', text: '*\n' }, ...all]
}

/** `AgentResult`s in the order of the phases. */
function resultsOf(snapshot: Pick<TaskSnapshot, 'results'> | null): string {
  const results = TASK_PHASES.flatMap((phase) => snapshot?.results[phase] ?? [])
  return results.length === 0 ? '' : `${JSON.stringify(results, null, 2)}\n`
}
