import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
  ToolKind,
} from '@agentclientprotocol/sdk'
import type { Ability } from '../../contracts/agent.js'
import { ABILITIES } from '../../rules/roles.js'

/** What a tool of the agent's own wants to do, as far as it says. */
export interface WantedTool {
  kind: ToolKind | null
  /** Where: true when all places it names are within the worktree and may be touched so, null when it names none. */
  isInside: boolean | null
}

/** Of the protocol. */
export const TOOL_KINDS = [
  'read',
  'search',
  'think',
  'edit',
  'delete',
  'move',
  'execute',
  'other',
  'fetch',
  'switch_mode',
] as const satisfies readonly ToolKind[]

/** What each kind of tool needs; null is never granted: the network is the sandbox's to open, and modes are ways around us. */
const NEEDED: Record<ToolKind, Exclude<Ability, 'none'> | null> = {
  read: 'read',
  search: 'read',
  think: 'read',
  edit: 'edit',
  delete: 'edit',
  move: 'edit',
  execute: 'run',
  other: 'run',
  fetch: null,
  switch_mode: null,
}

/**
 * Whether a role with this ability may have done it. A tool that does not say where it works is trusted to the sandbox's walls, and
 * to nothing where there are none.
 */
export function mayUse(ability: Ability, tool: WantedTool, isSandboxed: boolean): boolean {
  const needed = NEEDED[tool.kind ?? 'other']
  if (needed === null || ABILITIES.indexOf(ability) < ABILITIES.indexOf(needed)) return false
  return tool.isInside ?? isSandboxed
}

/** The option that says so for this once: one that holds for ever would keep the agent from asking again. */
export function chosenOption(options: readonly PermissionOption[], isGranted: boolean): RequestPermissionOutcome {
  const kinds: PermissionOptionKind[] = isGranted ? ['allow_once'] : ['reject_once', 'reject_always']
  const chosen = kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined)
  return chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId }
}
