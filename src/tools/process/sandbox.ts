import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { withScratch } from '../folder/scratch.js'
import { bwrapVersion } from './bwrap-version.js'
import { codeOf } from './error-code.js'
import { createRunner } from './runner.js'

export type SandboxKind =
  /** `path` is what `createRunner` needs as `bwrapPath`; the version reads like '0.8.0'. */
  | { kind: 'bubblewrap'; path: string; version: string }
  /** Why there is none, as half a sentence for a person. */
  | { kind: 'none'; reason: string }

/**
 * Finds bubblewrap and really runs a program in it, in a folder below `scratchRoot`: many systems have it installed and user
 * namespaces switched off.
 */
export async function detectSandbox(scratchRoot: string = tmpdir()): Promise<SandboxKind> {
  if (process.platform !== 'linux') return { kind: 'none', reason: `bubblewrap does not exist on ${process.platform}` }
  const path = findBubblewrap()
  if (path === null) return { kind: 'none', reason: 'bubblewrap (bwrap) is not installed' }
  const version = bwrapVersion(path)
  if (version === null) return { kind: 'none', reason: 'bubblewrap does not start' }
  try {
    const complaint = await withScratch(scratchRoot, (folder) => complaintOf(path, folder))
    return complaint === null ? { kind: 'bubblewrap', path, version } : { kind: 'none', reason: complaint }
  } catch (error) {
    if (error instanceof Failure) return { kind: 'none', reason: error.message }
    throw error
  }
}

/** Null when a program runs inside. */
async function complaintOf(bwrapPath: string, cwd: string): Promise<string | null> {
  const megabyte = 1024 ** 2
  const outcome = await createRunner({ sandbox: 'bubblewrap', bwrapPath })({
    argv: [process.execPath, '--version'],
    cwd,
    isOffline: true,
    limits: {
      timeMs: 10_000,
      memoryBytes: 512 * megabyte,
      outputBytes: megabyte,
      processes: 64,
      fileBytes: megabyte,
    },
  })
  if (outcome.exitCode === 0) return null
  const words = outcome.stderr.trim().split('\n')[0]
  return `a program does not run inside bubblewrap: ${words || (outcome.signal ?? `exit code ${outcome.exitCode}`)}`
}

function findBubblewrap(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/bin', '/usr/local/bin']
  const paths = folders.filter((folder) => folder.startsWith('/')).map((folder) => join(folder, 'bwrap'))
  return paths.find(isExecutable) ?? null
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (codeOf(error) !== null) return false
    throw error
  }
}
