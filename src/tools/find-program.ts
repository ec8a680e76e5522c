import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Env } from './state-home.js'

/** Absolute path of a program on `env.PATH`, or null. Relative folders on PATH are passed over: they depend on who asks. */
export function findProgram(name: string, env: Env): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  const names = process.platform === 'win32' ? [`${name}.exe`, name] : [name]
  for (const folder of folders) {
    const found = names.map((file) => join(folder, file)).find((path) => isProgram(path))
    if (found !== undefined) return found
  }
  return null
}

/** True for an existing file this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
