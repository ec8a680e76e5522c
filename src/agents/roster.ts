import type { RoleName } from '../contracts/agent.js'
import type { Role } from './role.js'

/** Every role, by its name. */
export const ROSTER: Partial<Record<RoleName, Role>> = {}
