import { mkdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { codeOf } from './process/error-code.js'

export type Env = Readonly<Record<string, string | undefined>>

/**
 * Absolute path of the folder that holds everything Gauntlet keeps on this machine, created with mode 0700 when missing.
 * `GAUNTLET_HOME`, else `$XDG_STATE_HOME/gauntlet`, else the platform's usual place.
 */
export function stateHome(env: Env): string {
  const home = env['GAUNTLET_HOME']
    ? resolve(env['GAUNTLET_HOME'])
    : join(stateFolder(env, process.platform), 'gauntlet')
  makeFolder(home)
  return home
}

/** Makes a folder and those above it, for this user alone. Not `recursive`: where the system answers ENOENT to every attempt, as /proc does, Node 20 tries for ever. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' && statSync(path).isDirectory()) return
    if (code !== 'ENOENT' || dirname(path) === path) throw error
    makeFolder(dirname(path))
    mkdirSync(path, { mode: 0o700 })
  }
}

/** Where programs put state on `platform`; the XDG variable wins everywhere, and counts only when absolute (its specification). */
export function stateFolder(env: Env, platform: NodeJS.Platform): string {
  const xdg = env['XDG_STATE_HOME']
  if (xdg && isAbsolute(xdg)) return xdg
  const userHome = env['HOME'] || homedir()
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support')
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(userHome, 'AppData', 'Local')
  return join(userHome, '.local', 'state')
}

/** Downloaded programs. `GAUNTLET_CACHE` lets several homes share them (the tests do). */
export function downloadCache(home: string, env: Env): string {
  const cache = env['GAUNTLET_CACHE'] ? resolve(env['GAUNTLET_CACHE']) : join(home, 'downloads')
  makeFolder(cache)
  return cache
}
