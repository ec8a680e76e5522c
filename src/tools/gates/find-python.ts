import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { runProgram } from '../download/run-program.js'
import { findProgram } from '../find-program.js'
import { codeOf } from '../process/error-code.js'
import { isSystemPath } from '../process/system-folders.js'
import type { GateBox, Python } from './gate-box.js'

/** The project's Python: its virtual environment's, else the one on PATH. Null when there is none. */
export async function findPython(box: Omit<GateBox, 'python'>): Promise<Python | null> {
  const own = ['.venv/bin/python', 'venv/bin/python'].map((path) => join(box.copy, path)).find(isThere)
  const path = own ?? (await pythonOnPath(box.env))
  if (path === null) return null
  const readable = [...linksOf(path, box.copy), ...installationOf(path)]
  // It must be started by the name that lies in its environment, which is a link: `env` follows it inside the sandbox.
  const argv: Python['argv'] = own === undefined ? [path] : ['/usr/bin/env', path]
  const { stdout } = await box.run({
    argv: [...argv, '-I', '-c', PROBE],
    cwd: box.copy,
    readable,
    env: { PATH: '/usr/bin:/bin', HOME: box.scratch },
    limits: { ...box.limits, timeMs: 20_000 },
    signal: box.signal,
  })
  const modules = stdout.split(/\s+/).filter((word) => word !== '')
  return { argv, readable, modules }
}

const PROBE = `
import importlib.util
for name in ("pytest", "coverage", "ruff", "flake8"):
    if importlib.util.find_spec(name): print(name)
`

/** PATH may lead to a script that chooses (pyenv, asdf); the interpreter itself knows where it is. Started apart from the project. */
async function pythonOnPath(env: GateBox['env']): Promise<string | null> {
  const found = findProgram('python3', env)
  if (found === null) return null
  const order = { argv: [found, '-I', '-c', 'import sys; print(sys.executable)'], env, timeMs: 20_000 } as const
  const { code, stdout } = await runProgram(order)
  const path = stdout.trim()
  return code === 0 && existsSync(path) ? path : null
}

/** Every step of a chain of links that lies outside of the project. */
function linksOf(path: string, copy: string): string[] {
  const steps: string[] = []
  for (let at = path; steps.length < 20;) {
    if (!at.startsWith(`${copy}/`)) steps.push(at)
    if (!lstatSync(at).isSymbolicLink()) break
    at = resolve(dirname(at), readlinkSync(at))
  }
  return steps.filter((step) => !isSystemPath(step))
}

/** Where an interpreter outside of the system's folders keeps its library. */
function installationOf(path: string): string[] {
  const real = realpathSync(path)
  const library = join(dirname(dirname(real)), 'lib')
  if (isSystemPath(real) || !existsSync(library)) return []
  return readdirSync(library)
    .filter((name) => /^(?:python\d|libpython)/.test(name))
    .map((name) => join(library, name))
}

function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return existsSync(path)
  } catch (error) {
    if (codeOf(error) !== null) return false
    throw error
  }
}
