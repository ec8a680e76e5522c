import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../../src/contracts/failures.js'
import type { ToolPlace } from '../../../src/tools/worktree-tools/tool-place.js'
import { worktreeTools } from '../../../src/tools/worktree-tools/worktree-tools.js'
import { freshFolder, modes, order } from '../process/orders.js'

const [bare] = modes
let outer = ''
let root = ''

beforeEach(() => {
  outer = freshFolder()
  root = join(outer, 'tree')
  mkdirSync(join(root, 'src'), { recursive: true })
  mkdirSync(join(root, 'node_modules/dep'), { recursive: true })
  writeFileSync(join(outer, 'secret'), 'secret')
  writeFileSync(join(root, '.git'), 'gitdir: elsewhere')
  writeFileSync(join(root, 'src/a.ts'), 'one\ntwo\nOne more\n')
  writeFileSync(join(root, 'src/b.bin'), Buffer.from([0, 1, 2]))
  writeFileSync(join(root, 'node_modules/dep/index.js'), 'one')
  symlinkSync(outer, join(root, 'up'))
  symlinkSync('src', join(root, 'inner'))
})

function place(rest: Partial<ToolPlace> = {}): ToolPlace {
  return {
    root,
    protected: [],
    run: async ({ argv, timeMs = 10_000 }) => (bare ?? modes[1]!).run(order(argv, { cwd: root, limits: { timeMs } })),
    ...rest,
  }
}

async function use(name: string, input: unknown, where: ToolPlace = place()): Promise<string> {
  const tool = worktreeTools('run').find((each) => each.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool.use(where, tool.input.parse(input))
}

async function refused(name: string, input: unknown, where?: ToolPlace): Promise<string> {
  const error: unknown = await use(name, input, where).catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw new Error(`expected a failure, got ${String(error)}`)
  return `${error.type}: ${error.message}`
}

describe('what a role may have done', () => {
  it.each([
    ['none', []],
    ['read', ['list', 'read', 'search']],
    ['edit', ['list', 'read', 'search', 'edit']],
    ['run', ['list', 'read', 'search', 'edit', 'run']],
  ] as const)('is for %s: %j', (ability, names) => {
    expect(worktreeTools(ability).map(({ name }) => name)).toEqual(names)
  })
})

describe('a path that an agent names', () => {
  const outside = ['../secret', '/etc/passwd', 'up/secret', 'src/../../secret', 'up', '..', 'src/a.ts\0']
  const git = ['.git', '.GIT/config', 'src/../.git']

  it.each(outside)('%j is never read', async (path) => {
    expect(await refused('read', { path })).toMatch(/^Contract.Violated: .*(outside the worktree|is no path)/)
  })

  it.each(outside)('%j is never written', async (path) => {
    expect(await refused('edit', { path, new_text: 'x' })).toMatch(/^Contract.Violated/)
    expect(readFileSync(join(outer, 'secret'), 'utf8')).toBe('secret')
  })

  it.each(git)("%j is among git's own files", async (path) => {
    expect(await refused('read', { path })).toContain("git's own files")
    expect(await refused('edit', { path, new_text: 'x' })).toContain("git's own files")
    expect(readFileSync(join(root, '.git'), 'utf8')).toBe('gitdir: elsewhere')
  })

  it('may be absolute within the worktree, or go by a link that stays inside', async () => {
    expect(await use('read', { path: join(root, 'src/a.ts') })).toContain('two')
    expect(await use('read', { path: 'inner/a.ts' })).toContain('two')
    expect(await use('edit', { path: 'inner/new.ts', new_text: 'n' })).toBe('written')
    expect(readFileSync(join(root, 'src/new.ts'), 'utf8')).toBe('n')
  })

  it('that is a link to a file that is not there is made where the link leads only when that is inside', async () => {
    symlinkSync(join(outer, 'new'), join(root, 'out'))
    symlinkSync('src/late.ts', join(root, 'late'))
    expect(await refused('edit', { path: 'out', new_text: 'x' })).toContain('outside the worktree')
    expect(existsSync(join(outer, 'new'))).toBe(false)
    expect(await use('edit', { path: 'late', new_text: 'x' })).toBe('written')
    expect(readFileSync(join(root, 'src/late.ts'), 'utf8')).toBe('x')
  })

  it('that is a circle of links, a pipe, a folder or a part of a file is refused in plain words', async () => {
    symlinkSync('round', join(root, 'round'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    expect(await refused('read', { path: 'round' })).toContain('links that lead in a circle')
    expect(await refused('read', { path: 'pipe' })).toContain('no regular file')
    expect(await refused('edit', { path: 'pipe', new_text: 'x' })).toContain('no regular file')
    expect(await refused('read', { path: 'src' })).toContain('no regular file')
    expect(await refused('edit', { path: 'src', new_text: 'x' })).toContain('is a folder')
    expect(await refused('edit', { path: '.', new_text: 'x' })).toContain('is a folder')
    expect(await refused('read', { path: 'src/a.ts/b' })).toContain('part that is no folder')
    expect(await refused('read', { path: 'none.ts' })).toContain('does not exist')
  })
})

describe.runIf(process.platform === 'linux')('a folder that becomes a link while we look', () => {
  it('never leads outside: neither read, written, made nor removed', async () => {
    mkdirSync(join(outer, 'target'))
    writeFileSync(join(outer, 'target/kept'), 'kept')
    mkdirSync(join(root, 'flip'))
    writeFileSync(join(root, 'flip/kept'), 'inside')
    const outcomes = new Set<string | null>()
    const swapper = spawn(process.execPath, ['-e', swapping], { cwd: root, stdio: 'ignore' })
    try {
      for (let round = 0; round < 400; round++) {
        const attempts = [
          use('read', { path: 'flip/kept' }),
          use('edit', { path: `flip/new${round}`, new_text: 'x' }),
          use('edit', { path: `flip/deep${round}/new`, new_text: 'x' }),
        ]
        const [text = null] = await Promise.all(attempts.map((attempt) => attempt.catch(nullWhenRefused)))
        outcomes.add(text)
        await use('edit', { path: 'flip/kept', new_text: null }).catch(nullWhenRefused)
      }
    } finally {
      swapper.kill('SIGKILL')
    }
    expect(outcomes).toContain(null)
    expect(outcomes).not.toContain('kept')
    expect(readdirSync(join(outer, 'target'))).toEqual(['kept'])
    expect(readFileSync(join(outer, 'target/kept'), 'utf8')).toBe('kept')
  })

  /** Now a folder, now a link; a folder that was made in between is in the way and goes. */
  const swapping = `const fs = require('node:fs')
    const quiet = (work) => { try { work() } catch {} }
    const end = Date.now() + 20_000
    while (Date.now() < end) {
      quiet(() => fs.renameSync('flip', 'folder'))
      quiet(() => fs.symlinkSync('../target', 'flip'))
      quiet(() => fs.unlinkSync('flip'))
      quiet(() => fs.existsSync('flip') && fs.existsSync('folder') && fs.rmSync('flip', { recursive: true }))
      quiet(() => fs.renameSync('folder', 'flip'))
    }`

  function nullWhenRefused(error: unknown): null {
    if (error instanceof Failure) return null
    throw error
  }
})

describe('list', () => {
  it('names files, folders and links without following them, dependencies left out', async () => {
    expect(await use('list', {})).toBe(['inner (link)', 'src/', 'up (link)', 'src/a.ts', 'src/b.bin'].join('\n'))
    expect(await use('list', { path: 'src' })).toBe('src/a.ts\nsrc/b.bin')
  })

  it('shows a name with a line break as one name', async () => {
    writeFileSync(join(root, 'src/two\nlines'), '')
    expect(await use('list', { path: 'src' })).toContain('"src/two\\nlines"')
  })

  it('ends at a thousand and says so', async () => {
    for (let index = 0; index < 1001; index++) writeFileSync(join(root, `src/f${index}`), '')
    const lines = (await use('list', { path: 'src' })).split('\n')
    expect(lines).toHaveLength(1001)
    expect(lines.at(-1)).toContain('more left out')
  })
})

describe('read', () => {
  it('gives the whole of a small file and says which lines it gives of a part', async () => {
    expect(await use('read', { path: 'src/a.ts' })).toBe('one\ntwo\nOne more\n')
    expect(await use('read', { path: 'src/a.ts', from_line: 2, lines: 1 })).toBe('[lines 2 to 2 of 4]\ntwo')
  })

  it('cuts what is larger than its bound, and refuses what is larger than a mebibyte or no text', async () => {
    writeFileSync(join(root, 'long'), 'x'.repeat(40_000))
    writeFileSync(join(root, 'limit'), 'x'.repeat(1024 * 1024))
    writeFileSync(join(root, 'huge'), 'x'.repeat(1024 * 1024 + 1))
    expect(await use('read', { path: 'long' })).toContain('[7232 bytes left out]')
    expect(await use('read', { path: 'limit' })).toContain('bytes left out')
    expect(await refused('read', { path: 'huge' })).toContain('larger than 1048576 bytes')
    expect(await refused('read', { path: 'src/b.bin' })).toContain('not text')
  })
})

describe('search', () => {
  it('finds lines by plain text, in one file, in a folder, with or without case', async () => {
    expect(await use('search', { text: 'one' })).toBe('src/a.ts:1: one')
    expect(await use('search', { text: 'ONE', ignore_case: true })).toBe('src/a.ts:1: one\nsrc/a.ts:3: One more')
    expect(await use('search', { text: 'two', path: 'src/a.ts' })).toBe('src/a.ts:2: two')
    expect(await use('search', { text: '(a+)+$' })).toBe('[not found]')
    expect(await refused('search', { text: 'secret', path: '..' })).toContain('outside the worktree')
  })

  it('does not follow links out of the worktree', async () => {
    expect(await use('search', { text: 'secret' })).toBe('[not found]')
  })

  it('ends at two hundred and says so', async () => {
    writeFileSync(join(root, 'many'), 'hit\n'.repeat(201))
    const lines = (await use('search', { text: 'hit' })).split('\n')
    expect(lines).toHaveLength(201)
    expect(lines.at(-1)).toBe('[more left out]')
  })
})

describe('edit', () => {
  it('replaces a text that occurs once, and only such a one', async () => {
    expect(await use('edit', { path: 'src/a.ts', old_text: 'two', new_text: '$& 2' })).toBe('written')
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('one\n$& 2\nOne more\n')
    expect(await refused('edit', { path: 'src/a.ts', old_text: 'ne', new_text: '' })).toContain('occurs 2 times')
    expect(await refused('edit', { path: 'src/a.ts', old_text: 'zero', new_text: '' })).toContain('does not occur')
  })

  it('makes a file with the folders on its way, keeps the mode of one that is there, and removes one', async () => {
    chmodSync(join(root, 'src/a.ts'), 0o755)
    expect(await use('edit', { path: 'new/deep/c.ts', new_text: 'c' })).toBe('written')
    expect(await use('edit', { path: 'src/a.ts', new_text: 'short' })).toBe('written')
    expect(readFileSync(join(root, 'new/deep/c.ts'), 'utf8')).toBe('c')
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('short')
    expect(statSync(join(root, 'src/a.ts')).mode & 0o777).toBe(0o755)
    expect(await use('edit', { path: 'src/a.ts', new_text: null })).toBe('removed')
    expect(existsSync(join(root, 'src/a.ts'))).toBe(false)
    expect(await refused('edit', { path: 'up/secret', new_text: null })).toContain('outside')
    expect(await refused('edit', { path: 'x'.repeat(300), new_text: 'x' })).toContain('name that is too long')
  })

  it.each(['src/a.ts', './src//a.ts', 'inner/a.ts'])('never changes a protected file, here as %s', async (path) => {
    const where = place({ protected: ['src/a.ts'] })
    expect(await refused('edit', { path, new_text: 'x' }, where)).toContain('is protected')
    expect(await refused('edit', { path, new_text: null }, where)).toContain('is protected')
    expect(await use('read', { path }, where)).toContain('two')
  })

  it('refuses a text larger than a mebibyte', async () => {
    expect(await refused('edit', { path: 'big', new_text: 'x'.repeat(1024 * 1024 + 1) })).toContain('larger than')
    expect(existsSync(join(root, 'big'))).toBe(false)
  })
})

describe('run', () => {
  it('tells exit code and output of a program, given its words as they are', async () => {
    expect(await use('run', { command: ['node', '-e', 'console.log(process.argv[1])', '$HOME; id'] })).toBe(
      '[exit code 0]\n$HOME; id\n',
    )
    expect(await use('run', { command: ['sh', '-c', 'echo bad >&2; exit 3'] })).toContain(
      '[exit code 3]\n\n[stderr]\nbad',
    )
  })

  it('kills at its time', async () => {
    expect(await use('run', { command: ['sleep', '20'], seconds: 1 })).toContain('[killed: time]')
  })

  it('runs a program of the worktree, also by a link to the system, but none of elsewhere', async () => {
    writeFileSync(join(root, 'own'), '#!/bin/sh\necho own\n', { mode: 0o755 })
    writeFileSync(join(outer, 'other'), '#!/bin/sh\necho other\n', { mode: 0o755 })
    symlinkSync('/bin/echo', join(root, 'say'))
    mkdirSync(join(root, 'node_modules/.bin'))
    symlinkSync('../../own', join(root, 'node_modules/.bin/tool'))
    expect(await use('run', { command: ['./own'] })).toContain('own')
    expect(await use('run', { command: ['./say', 'hi'] })).toContain('hi')
    expect(await use('run', { command: ['tool'] })).toContain('own')
    for (const command of [['../other'], [join(outer, 'other')], ['up/other'], ['no-such-program'], ['src/a.ts']])
      expect(await refused('run', { command })).toContain('Tool.Missing: program not found')
  })

  it('cuts a long output', async () => {
    const text = await use('run', { command: ['node', '-e', "console.log('x'.repeat(100000))"] })
    expect(text.length).toBeLessThan(40_000)
    expect(text).toContain('bytes left out')
  })
})
