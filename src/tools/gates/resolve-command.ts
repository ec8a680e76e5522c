import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, sep } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { findAgentProgram } from '../agent-program.js'
import { findProgram, isProgram } from '../find-program.js'
import type { GateBox } from './gate-box.js'

export interface Resolved {
  argv: [string, ...string[]]
  /** Where the program's own files are. */
  readable: readonly string[]
}

/**
 * Turns the first word of a command into a program: `node` is the one that runs us, `npm` and `npx` come with it, `python` is the
 * project's; a path is the project's own file; any other name is looked for in the project's dependencies, then on PATH.
 * Throws `Failure('Tool.Missing')`.
 */
export function resolveCommand(box: GateBox, words: readonly string[]): Resolved {
  const [name = '', ...args] = words
  if (name === 'node') return { argv: [process.execPath, ...args], readable: [] }
  if (name === 'npm' || name === 'npx') return resolveNpm(box, name, args)
  if (name === 'python' || name === 'python3') {
    if (box.python === null) throw missing('python3')
    return { argv: [...box.python.argv, ...args], readable: box.python.readable }
  }
  const { argv, readable } = name.includes('/') ? alone(ownProgram(box, name)) : namedProgram(box, name)
  return { argv: [...argv, ...args], readable }
}

function alone(path: string): Resolved {
  return { argv: [path], readable: [] }
}

function resolveNpm({ env }: GateBox, name: string, args: readonly string[]): Resolved {
  const folder = npmFolder(env['PATH'])
  if (folder === null) throw missing(name)
  return { argv: [process.execPath, join(folder, 'bin', `${name}-cli.js`), ...args], readable: [folder] }
}

/** npm's own folder: beside the Node that runs us, else where PATH leads. */
function npmFolder(path: string | undefined): string | null {
  const beside = join(dirname(dirname(realpathSync(process.execPath))), 'lib/node_modules/npm/bin/npm-cli.js')
  const onPath = findProgram('npm', { PATH: path })
  const found = [beside, ...(onPath === null ? [] : [realpathSync(onPath)])].find(
    (each) => each.endsWith('/npm-cli.js') && isProgram(each),
  )
  return found === undefined ? null : dirname(dirname(found))
}

function ownProgram({ copy }: GateBox, name: string): string {
  if (isAbsolute(name) || !isInside(copy, join(copy, name))) throw missing(name, 'expected a program of the project')
  return realpathSync(join(copy, name))
}

function namedProgram(box: GateBox, name: string): Resolved {
  const folders = ['node_modules/.bin', '.venv/bin', 'venv/bin'].map((folder) => join(box.copy, folder, name))
  const own = folders.find((path) => isInside(box.copy, path))
  // With its links followed: the sandbox shows a program by mounting it, and a link is no place for that.
  if (own !== undefined) return alone(realpathSync(own))
  if (name === 'pnpm' || name === 'yarn') return installedManager(box, name)
  const found = findProgram(name, box.env)
  if (found === null) throw missing(name)
  return alone(found)
}

/** With the files beside it. Corepack would fetch another program, and run that. */
function installedManager({ env, scratch }: GateBox, name: string): Resolved {
  const found = findAgentProgram({ words: [name], cwd: scratch, env })
  if (found === null) throw missing(name)
  const program = realpathSync(found.argv.at(-1) ?? '')
  if (program.includes('/corepack/')) throw missing(name, "on PATH is Corepack's stand-in; expected the program itself")
  return { argv: /\.[cm]?js$/.test(program) ? [process.execPath, program] : found.argv, readable: found.readable }
}

/** An executable file whose links, all followed, stay in the copy. */
function isInside(copy: string, path: string): boolean {
  return isProgram(path) && realpathSync(path).startsWith(`${realpathSync(copy)}${sep}`)
}

function missing(name: string, why = 'neither among the dependencies of the project nor on PATH'): Failure {
  return new Failure('Tool.Missing', `${name}: ${why}`)
}
