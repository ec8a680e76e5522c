import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findAgentProgram } from '../../src/tools/agent-program.js'
import { freshFolder, hasSandbox, put, runner } from '../support/git-repository.js'

const PYTHON = '/usr/bin/python3'
const hasPython = existsSync(PYTHON)
const bin = (text: string) => ({ text, mode: 0o755 })

/** A home with a version manager: what is on PATH chooses, and needs the manager to do it. */
function managedHome(manager: string) {
  const home = freshFolder()
  const shim = bin(`#!/bin/sh\nexec "${home}/tool/${manager}" exec "\${0##*/}" "$@"\n`)
  const real = (name: string) => join(home, 'versions/1.0/bin', name)
  put(home, {
    'shims/python3': shim,
    'shims/node': shim,
    'shims/house': shim,
    [`tool/${manager}`]: bin(
      `#!/bin/sh\ncase $1 in which) echo ${home}/versions/1.0/bin/$2;; *) shift; name=$1; shift; exec ${home}/versions/1.0/bin/$name "$@";; esac\n`,
    ),
    'versions/1.0/bin/python3': { link: PYTHON },
    'versions/1.0/bin/node': { link: process.execPath },
    'versions/1.0/bin/house': bin('#!/usr/bin/env node\nconsole.log("house", process.argv.length)\n'),
  })
  return { home, real, env: { PATH: `${home}/shims:${home}/tool:/usr/bin:/bin` } }
}

describe.each(['pyenv', 'asdf', 'mise', 'nodenv'])('what %s put on PATH', (manager) => {
  it('stands for the interpreter that it chooses', () => {
    const { home, env } = managedHome(manager)
    const found = findAgentProgram({ words: ['node', 'agent.js'], cwd: home, env })
    expect(found?.argv).toEqual([process.execPath, 'agent.js'])
  })

  it('stands for the program that it chooses, run by the interpreter that it chooses', () => {
    const { home, real, env } = managedHome(manager)
    const found = findAgentProgram({ words: ['house', 'acp'], cwd: home, env })
    expect(found?.argv).toEqual([process.execPath, real('house'), 'acp'])
    expect(found?.readable).toContain(join(home, 'versions/1.0'))
    expect(found?.readable).not.toContain(join(home, 'shims'))
  })
})

it.skipIf(!hasPython)('a script is run by the Python that is chosen, with the flags of its first line', () => {
  const { home, env } = managedHome('pyenv')
  put(home, { 'agent.py': bin('#!/usr/bin/env -S python3 -u\nprint(1)\n') })
  const found = findAgentProgram({ words: ['./agent.py', '-v'], cwd: home, env })
  expect(found?.argv.slice(1)).toEqual(['-u', join(home, 'agent.py'), '-v'])
  expect(realpathSync(found?.argv[0] ?? '')).toBe(realpathSync(PYTHON))
})

it('a program that chooses nothing is run as it is named', () => {
  const home = freshFolder()
  put(home, { 'bin/node': bin('#!/bin/sh\nexit 3\n'), 'bin/house': bin('#!/usr/bin/env node\n') })
  const env = { PATH: `${home}/bin` }
  expect(findAgentProgram({ words: ['house'], cwd: home, env })?.argv).toEqual([join(home, 'bin/house')])
  expect(findAgentProgram({ words: ['node'], cwd: home, env })?.argv).toEqual([join(home, 'bin/node')])
})

it('the interpreter that a first line names by its path is shown too', () => {
  const home = freshFolder()
  put(home, { 'runtime/bin/deno': bin('#!/bin/sh\n'), 'bin/house': bin(`#!${home}/runtime/bin/deno run\n`) })
  const found = findAgentProgram({ words: ['bin/house'], cwd: home, env: {} })
  expect(found).toEqual({ argv: [join(home, 'bin/house')], readable: [home, join(home, 'runtime')] })
})

it.skipIf(!hasSandbox)('runs in the sandbox, where what chooses would not (skipped without bubblewrap)', async () => {
  const { home, env } = managedHome('asdf')
  const found = findAgentProgram({ words: ['house', 'x'], cwd: home, env })
  const limits = { timeMs: 60_000, memoryBytes: 2e9, outputBytes: 1e6, processes: 100, fileBytes: 1e6 }
  const order = { cwd: freshFolder(), env, limits }
  const { stdout } = await runner({ ...order, argv: found?.argv ?? [''], readable: found?.readable ?? [] })
  expect(stdout).toBe('house 3\n')
  const shim = await runner({ ...order, argv: [join(home, 'shims/house'), 'x'], readable: [join(home, 'shims')] })
  expect(shim.exitCode).not.toBe(0)
})
