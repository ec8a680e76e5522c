import { realpathSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import { findProgram, isProgram } from '../find-program.js'
import { isSystemPath } from '../process/system-folders.js'
import { clipped, defineTool } from './tool-place.js'

export const runCommand = defineTool({
  name: 'run',
  description:
    'Runs a program in the worktree, without a shell and without the network, and tells its exit code and output. ' +
    'Programs: those of the system and of installed dependencies by name, node, or a path within the worktree.',
  input: z.strictObject({
    command: z.array(z.string().max(10_000)).min(1).max(200).describe('program and arguments, one word each'),
    seconds: z.int().min(1).max(600).default(120).describe('killed after this time'),
  }),
  async use(place, { command, seconds }) {
    const [name = '', ...args] = command
    const argv: [string, ...string[]] = [programNamed(place.root, name), ...args]
    return described(await place.run({ argv, timeMs: seconds * 1000 }))
  },
})

/** Absolute path of the program that a name means in a worktree. Throws `Failure('Tool.Missing')`. */
export function programNamed(root: string, name: string): string {
  if (name === 'node') return process.execPath
  const path = name.includes('/') ? ownProgram(root, name) : namedProgram(root, name)
  if (path === null) throw new Failure('Tool.Missing', `program not found: ${name.slice(0, 200)}`)
  return path
}

/** Of the project's dependencies, else of the system. */
function namedProgram(root: string, name: string): string | null {
  const own = dependencyFolders.map((folder) => ownProgram(root, `${folder}/${name}`)).find((path) => path !== null)
  return own ?? findProgram(name, { PATH: systemPath })
}

const dependencyFolders = ['node_modules/.bin', '.venv/bin', 'venv/bin']
const systemPath = '/usr/local/bin:/usr/bin:/bin'

/**
 * A program of the worktree or of the system, also by a link of the worktree (a virtual environment's python). Any other would be
 * shown to the sandbox by the mere asking.
 */
function ownProgram(root: string, name: string): string | null {
  const path = resolve(root, name)
  if (!isProgram(path)) return null
  const real = realpathSync(path)
  return isSystemPath(real) || real.startsWith(`${realpathSync(root)}${sep}`) ? path : null
}

function described(outcome: ProcessOutcome): string {
  const { exitCode, signal, stopped } = outcome
  const end = stopped === null ? (signal ?? `exit code ${exitCode}`) : `killed: ${stopped}`
  return [
    `[${end}]`,
    clipped(outcome.stdout),
    ...(outcome.stderr === '' ? [] : ['[stderr]', clipped(outcome.stderr)]),
  ].join('\n')
}
