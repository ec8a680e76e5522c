import { z } from 'zod'
import { Artifact, RelativePath } from './artifact.js'

/** Name of a folder below `openspec/changes`. */
export const ChangeId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, {
  error: 'expected the name of a folder in openspec/changes: letters, digits, dots, dashes, underscores',
})
export type ChangeId = z.infer<typeof ChangeId>

/** A task of tasks.md: what finds its line again. */
export const OpenSpecTask = z.object({
  /** '1.2', or null for a task without a number. */
  number: z.string().max(40).nullable(),
  /** The line without box and number, blanks collapsed. */
  text: z.string().min(1).max(2_000),
})
export type OpenSpecTask = z.infer<typeof OpenSpecTask>

/** The change a run works on, as it was when the run was started. */
export const OpenSpecChange = z.object({
  change: ChangeId,
  /** From the folder the files are projected into: 'openspec/changes/add-login'. */
  folder: RelativePath,
  /** proposal.md, design.md, tasks.md, context.md, specs: for the writer, as data. */
  documents: z.array(z.object({ path: RelativePath, artifact: Artifact })).max(50),
  /** Ticked when the run passes; null when none is open. */
  task: OpenSpecTask.nullable(),
})
export type OpenSpecChange = z.infer<typeof OpenSpecChange>

const Line = z.string().max(400)
const Lines = z.array(Line).max(30)

/** One round, as context.md tells it. */
export const OpenSpecSession = z.object({
  /** Names it for good, so that it is never written twice: 'refine/add-login 01890a5d round 2'. */
  id: z.string().min(1).max(300),
  at: z.iso.datetime(),
  completed_tasks: Lines,
  /** The trend up to this round: 'round 2: overall 78 (+5), security 75, quality 80, performance 79: ITERATE'. */
  scores: z.array(Line).max(200),
  decisions: Lines,
  changes: Lines,
  issues: Lines,
  /** '4 min 10 s' */
  duration: z.string().max(40),
})
export type OpenSpecSession = z.infer<typeof OpenSpecSession>

/** What somebody who comes back reads first. */
export const QuickResume = z.object({
  tldr: Line,
  task: Line,
  doing: Line,
  files: Lines,
  blockers: Lines,
  next_steps: Lines,
})
export type QuickResume = z.infer<typeof QuickResume>

/** What a run wants in a file of a change's folder. It is applied to the file as it is at that moment, so that what people write meanwhile stays. */
export const OpenSpecEdit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('context'),
    change: ChangeId,
    sessions: z.array(OpenSpecSession).max(200),
    quick_resume: QuickResume,
  }),
  z.object({ kind: z.literal('tick'), task: OpenSpecTask }),
])
export type OpenSpecEdit = z.infer<typeof OpenSpecEdit>
