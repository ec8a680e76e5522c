import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { findProgram, isProgram } from './find-program.js'
import { firstText } from './first-text.js'
import type { Env } from './state-home.js'

/**
 * The program that a path stands for where version managers (pyenv, asdf, mise, nodenv) put a script that chooses: in a sandbox it would
 * find nothing to choose from. Interpreters are asked themselves, for others the manager. Itself when it is no such script, or nothing
 * answers within 20 s. Runs outside of any sandbox, as the person would, in the folder `cwd`.
 */
export function behindShim(path: string, { cwd, env }: { cwd: string; env: Env }): string {
  const words = questionTo(path, env)
  if (words === null) return path
  const [program, ...args] = words
  const { status, stdout } = spawnSync(program, args, { cwd, env: { ...env }, encoding: 'utf8', timeout: 20_000 })
  const answer = (status === 0 ? stdout : '').trim()
  return answer.startsWith('/') && isProgram(answer) ? answer : path
}

function questionTo(path: string, env: Env): [string, ...string[]] | null {
  const name = basename(path)
  const real = basename(realpathSync(path))
  const start = firstText(path, 1000)
  if (!start.startsWith('#!') && !MANAGERS.test(real)) return null
  const asked = INTERPRETERS.find(([names]) => names.test(name))
  if (asked !== undefined) return [path, ...asked[1]]
  const manager = basename(dirname(path)) === 'shims' ? MANAGERS.exec(`${real}\n${start}`)?.[0] : undefined
  const program = findProgram(manager ?? '', env)
  return program === null ? null : [program, 'which', name]
}

/** Some are links to the manager itself, the others scripts that name it. */
const MANAGERS = /\b(?:asdf|mise|pyenv|nodenv|rbenv)\b/

const INTERPRETERS = [
  [/^python[\d.]*$/, ['-I', '-c', 'import sys; print(sys.executable)']],
  [/^node$/, ['-p', 'process.execPath']],
] as const
