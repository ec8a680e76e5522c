import { z } from 'zod'
import { ABILITIES, ROLES } from '../rules/roles.js'
import { Artifact, RelativePath } from './artifact.js'
import { Budget } from './budget.js'
import { CommitId, FileChange, RepositoryRef } from './git.js'

export const RoleName = z.enum(ROLES)
export type RoleName = z.infer<typeof RoleName>

export const Ability = z.enum(ABILITIES)
export type Ability = z.infer<typeof Ability>

/**
 * Names an agent that workers know: 'builtin', 'model:anthropic/NAME', or the name of a definition in the worker's state home.
 * A run only ever names agents; what program or key is behind a name, the worker's own config says.
 */
export const AgentName = z.string().regex(/^[a-z0-9][A-Za-z0-9._/@:-]{0,119}$/, {
  error: 'expected the name of an agent: letters, digits and ._/@:-, at most 120',
})
export type AgentName = z.infer<typeof AgentName>

/** Which agent answers for which role; '*' is every role, and the last row that fits wins. */
export const AgentAssignments = z.array(z.object({ role: RoleName.or(z.literal('*')), agent: AgentName })).max(50)
export type AgentAssignments = z.infer<typeof AgentAssignments>

/** What one call took. What an agent does not tell is null, never 0: a budget that cannot be measured is not kept silently. */
export const AgentUsage = z.object({
  input_tokens: z.int().min(0).nullable(),
  output_tokens: z.int().min(0).nullable(),
  /** US dollars. */
  cost: z.number().min(0).nullable(),
  seconds: z.number().min(0),
})
export type AgentUsage = z.infer<typeof AgentUsage>

/** What the input of every pipeline that asks agents carries besides `RunOptions`. */
export const AgentOptions = z.object({ agents: AgentAssignments, budget: Budget })
export type AgentOptions = z.infer<typeof AgentOptions>

/** What one call may still spend; null is no limit. */
export const Allowance = z.object({ tokens: z.int().min(0).nullable(), cost: z.number().min(0).nullable() })
export type Allowance = z.infer<typeof Allowance>

/** The commit an agent works on, in a fresh worktree. */
export const Workspace = z.object({
  repository: RepositoryRef,
  commit: CommitId,
  /** Files an agent may not change here: the tester's, for the coder. */
  protected: z.array(RelativePath).max(2_000),
})
export type Workspace = z.infer<typeof Workspace>

/** Part of a git reference and of file names. */
const PlainName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$/, {
  error: 'expected 1 to 80 letters, digits, dashes or underscores',
})

/** Order of the activity `askAgent`. */
export const AgentOrder = z.object({
  run_id: PlainName,
  task_id: z.string().max(80).nullable(),
  /** With `round` names what an editing role publishes: `refs/gauntlet/RUN/STEP/ROUND`. */
  step: PlainName,
  round: z.int().min(1),
  /** Counts the calls of this step and round from 1, whatever the reason of asking again: each call is an order of its own. */
  attempt: z.int().min(1),
  role: RoleName,
  agent: AgentName,
  /** The role's input contract; large text travels as artifacts within it. */
  input: z.unknown(),
  /** What was wrong with the previous answer. */
  complaints: z.array(z.string().max(1_000)).max(20),
  /** What is changed counts from its commit. */
  workspace: Workspace.nullable(),
  /** Where the work goes on when the previous answer did not fit: that attempt's edits. */
  continue_from: CommitId.nullable(),
  /** Of the agent alone; making its folder ready does not count. */
  limit_seconds: z.number().positive(),
  allowance: Allowance,
  allow_unsandboxed: z.boolean(),
})
export type AgentOrder = z.infer<typeof AgentOrder>

/** What history keeps of an agent's answer: small; the whole answer and the transcript are artifacts. */
export const AgentReply = z.object({
  /** The role's extract: what a rule needs. At most 16 KB as JSON. */
  extract: z.unknown(),
  answer: Artifact,
  transcript: Artifact,
  usage: AgentUsage,
  /** Of an editing role: the published result, the input commit itself when nothing was changed. */
  commit: CommitId.nullable(),
  changes: z.array(FileChange).max(100),
  /** All of them, also those beyond the list. */
  changed_files: z.int().min(0),
  /** Protected files the attempt changed. */
  trespasses: z.array(RelativePath).max(100),
  is_sandboxed: z.boolean(),
})
export type AgentReply = z.infer<typeof AgentReply>

/** Details of an `Agent.InvalidAnswer` (and, as far as known, of every other failure of an agent). */
export const AgentFailureDetails = z.object({
  complaints: z.array(z.string()).optional(),
  usage: AgentUsage.optional(),
  /** Edits made before the answer failed: the next attempt starts from them. */
  commit: CommitId.nullable().optional(),
  transcript: Artifact.optional(),
})
export type AgentFailureDetails = z.infer<typeof AgentFailureDetails>

/** Order of the activity `closeAgents`, at the end of a run. */
export const CloseAgentsOrder = z.object({ run_id: PlainName, agents: z.array(AgentName).max(50) })
export type CloseAgentsOrder = z.infer<typeof CloseAgentsOrder>

/** Lines about agents that were not used as they were meant to be, such as answers of a script that nobody asked for. */
export const ClosedAgents = z.object({ leftovers: z.array(z.string().max(500)).max(50) })
export type ClosedAgents = z.infer<typeof ClosedAgents>
