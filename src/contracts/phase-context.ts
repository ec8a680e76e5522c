import { z } from 'zod'
import { AgentType, TaskId } from './phase.js'

const Line = z.string().max(600)
const Base = {
  /** Names what wrote it (task, phase, round, place): an entry that is there already is never written twice. */
  id: z.string().min(1).max(200),
  agent: AgentType,
  task: TaskId,
}

/** One thing an agent leaves for those after it (seed 001, 5.10). The Markdown files are rendered from these. */
export const ContextEntry = z.discriminatedUnion('kind', [
  z.object({ ...Base, kind: z.literal('decision'), description: Line, reason: Line, impact: Line }),
  z.object({
    ...Base,
    kind: z.literal('file_change'),
    action: z.enum(['create', 'modify', 'delete']),
    file: Line,
    purpose: Line,
  }),
  z.object({
    ...Base,
    kind: z.literal('suggestion'),
    suggestion: Line,
    for: z.enum(['tdd', 'develop', 'verify', 'accept']),
  }),
  z.object({
    ...Base,
    kind: z.literal('complete'),
    phase: z.enum(['planning', 'tdd', 'develop', 'verify', 'research']),
    lines: z.array(Line).max(30),
  }),
  z.object({
    ...Base,
    kind: z.literal('accept_complete'),
    score: z.int().min(1).max(10),
    approved: z.boolean(),
    recommendations: z.array(Line).max(30),
  }),
])
export type ContextEntry = z.infer<typeof ContextEntry>

/** Detected from the repository at the run's base commit. */
export const ProjectContext = z.object({
  /** Lower-case names: 'typescript', 'vitest'. */
  techStack: z.array(z.string().max(60)).max(60),
  structure: z.string().max(3_000),
  conventions: z.string().max(2_000),
})
export type ProjectContext = z.infer<typeof ProjectContext>
