import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessLimits, RunProcess } from '../../contracts/process.js'
import { codeOf } from '../process/error-code.js'
import type { Env } from '../state-home.js'

/** What the gates of one project run with. */
export interface GateBox {
  run: RunProcess
  isSandboxed: boolean
  /** The copy that is judged, absolute. */
  copy: string
  /** Private folder around the copy, absolute: homes and reports lie here, outside the project. */
  scratch: string
  /** Of the person: where programs are found. Programs get nothing of it. */
  env: Env
  limits: ProcessLimits
  python: Python | null
  signal: AbortSignal
}

export interface Python {
  /** Words that start it; the first is an absolute path. */
  argv: readonly [string, ...string[]]
  /** Where it is installed. */
  readable: readonly string[]
  /** Which of the modules that the presets know can be imported. */
  modules: readonly string[]
}

/** Each gate's own; wide enough for the test suites of large machines. */
export const GATE_LIMITS: ProcessLimits = {
  // Seed 001, 5.3: five minutes for the Verify phase.
  timeMs: 300_000,
  memoryBytes: 4 * 1024 ** 3,
  outputBytes: 32 * 1024 ** 2,
  processes: 2000,
  fileBytes: 1024 ** 3,
  diskBytes: 8 * 1024 ** 3,
}

/**
 * What the sandbox shows and lets write besides the copy. The dependencies' programs judge the project, so its tests must not
 * change them: only the folders where tools keep their caches are writable there.
 */
export function dependencyFolders({ copy }: GateBox): { readable: string[]; writable: string[] } {
  const folder = join(copy, 'node_modules')
  // A link put there by a test would show, or open, what it leads to.
  if (!isRealFolder(folder)) return { readable: [], writable: [] }
  return { readable: [folder], writable: cacheFolders.map((name) => join(folder, name)).filter(isRealFolder) }
}

/** Made in every copy, below node_modules. */
export const cacheFolders = ['.cache', '.vite', '.vite-temp']

export function isRealFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory()
  } catch (error) {
    if (codeOf(error) !== null) return false
    throw error
  }
}
