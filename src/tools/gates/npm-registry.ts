import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../process/error-code.js'
import type { Env } from '../state-home.js'

/**
 * The person's registry (never the project's, which could be anybody's), or null for npm's own default. Without credentials: a
 * registry that asks for them makes the audit `unavailable`.
 */
export function npmRegistry(env: Env): string | null {
  const given = env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY']
  if (given) return given
  const home = env['HOME']
  if (!home) return null
  try {
    return /^\s*registry\s*=\s*"?([^\s"]+)/m.exec(readFileSync(join(home, '.npmrc'), 'utf8'))?.[1] ?? null
  } catch (error) {
    if (codeOf(error) !== null) return null
    throw error
  }
}
