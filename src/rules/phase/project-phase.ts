import type { Artifact } from '../../contracts/artifact.js'
import type { ProjectedFile } from '../../contracts/run.js'
import { type Memory, readGlobalContext, readTaskContext } from './context-manager.js'

export interface PhaseFiles {
  memory: Memory
  /** Ids of the plan's tasks. */
  tasks: ReadonlyMap<string, unknown>
  run: { state: { artifacts: readonly Artifact[] } }
}

/** Seed 001, 5.10: the memory as files, whole, and beside it the plan and what Verify and Accept came to. */
export function projectPhase({ memory, tasks, run }: PhaseFiles): ProjectedFile[] {
  const contexts = [...tasks.keys()].map((id) => ({
    path: `.openmatrix/tasks/${id}/context.md`,
    text: readTaskContext(memory, id),
  }))
  const files = [{ path: '.openmatrix/context.md', text: readGlobalContext(memory) }, ...contexts]
  const kept = run.state.artifacts.filter(({ name }) => name.startsWith('.openmatrix/'))
  return [...files.filter(({ text }) => text !== ''), ...kept.map((artifact) => ({ path: artifact.name, artifact }))]
}
