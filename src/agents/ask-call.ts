import type { AgentOrder, RoleName, Workspace } from '../contracts/agent.js'
import type { ArtifactStore } from '../contracts/store.js'
import type { Git } from '../tools/git/git.js'
import type { BoxSetup } from './agent-box.js'
import type { PrepareWorktree } from './attempt-folder.js'
import type { Role } from './role.js'

/** What the worker knows and a call does not. */
export interface AskSetup extends BoxSetup {
  /** State home: definitions of agents. */
  home: string
  store: ArtifactStore
  scratchRoot: string
  git: () => Promise<Git>
  /** Makes a worktree ready for work. */
  prepare: PrepareWorktree
  /** Default: the roster. */
  roster?: Partial<Record<RoleName, Role>>
}

export interface AskCall {
  signal: AbortSignal
  /** When the call was ordered, ISO 8601: the same for every try of it. */
  at: string
}

/** One call, as far as it is known before anybody is asked. */
export interface Ask {
  setup: AskSetup
  order: AgentOrder
  call: AskCall
  role: Role
  input: unknown
  /** Null when there is nothing to work on. */
  git: Git | null
  /** Of a role that may edit, else null. */
  workspace: Workspace | null
}
