import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { allCommands, commandsFor } from '../../src/cli/commands/all-commands.js'
import { type Typed, typed } from '../support/typed-cli.js'

const commands = await allCommands()

let home = ''

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'gauntlet-cli-'))
})

afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

describe('what was typed wrongly is one line that names the field, what was expected and what came, and exit 2', () => {
  it.each<[argv: string[], line: string | RegExp]>([
    [[], /^command: expected one of up, worker, doctor, demo, run, .*, got nothing$/],
    [['fly'], /^command: expected one of up, .*, got "fly"$/],
    [['run'], /^PIPELINE: expected one of circt\b.*, got nothing$/],
    [['run', 'dance', '.'], /^PIPELINE: expected one of circt\b.*, got "dance"$/],
    [['start', 'dance'], /^PIPELINE: expected one of circt\b.*, got "dance"$/],
    [['run', 'circt'], 'CASE_DIR: expected a value, got nothing'],
    [['run', 'circt', 'a', 'b'], 'arguments: expected no more than --help lists, got too many'],
    [['run', 'circt', 'a', '--colour'], '--colour: expected an option that --help lists, got one that does not exist'],
    [['run', 'circt', 'a', '--key'], '--key: expected a value, got nothing'],
    [['run', 'circt', 'a', '--key', '--ask'], '--key: expected a value, got the option --ask'],
    [['run', 'circt', 'a', '--schedule', 'random'], '--schedule: expected one of eager, phased, serial, got "random"'],
    [['list', '--status', 'odd'], /^--status: expected one of running, waiting, .*, got "odd"$/],
    [['list', '--limit', '0'], '--limit: expected a whole number from 1, got "0"'],
    [['worker', '--slots', 'many'], '--slots: expected a whole number from 1 to 999, got "many"'],
    [
      ['worker', '--lanes', 'tools,fast'],
      '--lanes: expected some of light, tools, agents with commas between, got "tools,fast"',
    ],
    [['worker', '--circt-bin', 'gone'], '--circt-bin: expected a folder, got "gone"'],
    [['completion', 'tcsh'], 'SHELL: expected one of bash, zsh, fish, got "tcsh"'],
    [['status', 'x'], 'RUN: expected a known run, but there are no runs yet'],
    [['run', 'circt', ''], 'CASE_DIR: expected a folder with source.{sv,fir,mlir} and error.txt, got ""'],
    [['run', 'circt', 'gone'], /^CASE_DIR: expected a folder with source.*got "gone": there is nothing by this name/],
  ])('%j', async (argv, line) => {
    const plain = await typed(argv, { home })
    expect(plain).toMatchObject({ exit: 2, stdout: '' })
    expect(plain.stderr).toMatch(/^gauntlet: [^\n]+\n$/)
    const message = plain.stderr.slice('gauntlet: '.length).trimEnd()
    expect(message).toMatch(patternOf(line))
    expect(errorOf(await typed(['--json', ...argv], { home }))).toEqual({ type: 'Contract.Violated', message })
  })
})

describe('a case that cannot be run is refused before a server is started', () => {
  it.each<[what: string, args: string[], line: RegExp]>([
    ['a key with ..', ['--key', '../x'], /^--key: expected 1 to 120 letters.*, got "\.\.\/x"$/],
    ['a shell trick', ['--command', 'firtool {input}; rm -rf /'], /^command: expected one tool of the CIRCT toolchain/],
    ['a tool outside the toolchain', ['--command', 'python3 {input}'], /^command: .*"python3" is not one of/],
    ['a command that leads out of the folder', ['--command', 'firtool -o x ../../{input}'], /^command: /],
    [
      'a duration in no unit',
      ['--answer-within', 'soon'],
      /^--answer-within: expected a time like '90s'.*, got "soon"$/,
    ],
    ['a repository that is none', ['--repo', 'circt'], /^--repo: expected owner\/name, got "circt"$/],
    ['a repository with ..', ['--repo', 'llvm/..'], /^--repo: expected owner\/name, got "llvm\/\.\."$/],
    [
      'issues that are not there',
      ['--issues', 'gone.json'],
      /^--issues: expected a file, got "gone\.json": not found$/,
    ],
    ['a script that is a folder', ['--interesting', 'case'], /^--interesting: expected a file, got "case": expected a/],
    ['issues that are no list', ['--issues', 'case/error.txt'], /^--issues/],
    ['a toolchain that is not there', ['--circt-bin', 'gone'], /^--circt-bin: expected a folder, got "gone"$/],
  ])('%s', async (_, args, line) => {
    await aCase({ 'source.fir': 'circuit', 'error.txt': 'boom' })
    const command = args.includes('--command') ? [] : ['--command', 'firtool {input}']
    expect(await refusal(['run', 'circt', 'case', ...command, ...args])).toMatch(line)
  })

  it.each<[what: string, files: Record<string, string>, line: RegExp]>([
    [
      'no command anywhere, with all ways to give one',
      {},
      /^command: expected --command 'firtool \{input\}', a command in error\.txt, or command\.txt/,
    ],
    [
      'a tool outside the toolchain in command.txt',
      { 'command.txt': '/bin/sh {input}' },
      /^command: .*"sh" is not one of/,
    ],
    [
      'a broken status.json, which is not touched',
      { 'status.json': '{' },
      /^status\.json: expected JSON, .*mend or remove it, nothing was changed$/,
    ],
  ])('%s', async (_, files, line) => {
    await aCase({ 'source.fir': 'circuit', 'error.txt': '', ...files })
    expect(await refusal(['run', 'circt', 'case'])).toMatch(line)
    expect(await readdir(join(home, 'case'))).toHaveLength(2 + Object.keys(files).length)
  })

  /** The one line, which is the same in JSON; nothing was written. */
  async function refusal(argv: string[]): Promise<string> {
    const plain = await typed(argv, { home })
    expect(plain).toMatchObject({ exit: 2, stdout: '' })
    expect(plain.stderr).toMatch(/^gauntlet: [^\n]+\n$/)
    const { message } = errorOf(await typed([...argv, '--json'], { home }))
    expect(plain.stderr).toBe(`gauntlet: ${message}\n`)
    expect(await readdir(home)).toEqual(['case'])
    return message
  }
})

describe('what is loaded for a command line', () => {
  it.each([
    [['cancel', 'x'], ['cancel']],
    [['--json', 'cancel', 'x'], ['cancel']],
    [['run'], ['run circt']],
    [['run', 'circt', '--help'], ['run circt']],
  ])('%j is no more than it may mean', async (argv, paths) => {
    expect((await commandsFor(argv)).map(({ path }) => path.join(' '))).toEqual(expect.arrayContaining(paths))
    expect((await commandsFor(argv)).every(({ path }) => path[0] === paths[0]?.split(' ')[0])).toBe(true)
  })

  it.each([[[]], [['--help']], [['fly']], [['help', 'cancel']]])('%j may mean any', async (argv) => {
    expect(await commandsFor(argv)).toEqual(commands)
  })

  it.each(commands.map(({ path }) => [path]))('%j is found by what is typed for it', async (path) => {
    expect((await commandsFor(path)).map((command) => command.path)).toContainEqual(path)
  })
})

describe('with no runs at all', () => {
  it.each([
    [['list'], 'no runs yet\n'],
    [['inbox'], 'nothing waits for an answer\n'],
  ])('%j says so and is well, without starting a server', async (argv, text) => {
    expect(await typed(argv, { home })).toEqual({ exit: 0, stdout: text, stderr: '' })
    expect(await typed([...argv, '--json'], { home })).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
    expect(await readdir(home)).toEqual([])
  })
})

describe('help', () => {
  it('lists all commands and the exit codes, on stdout', async () => {
    const { exit, stdout } = await typed(['--help'], { home })
    expect(exit).toBe(0)
    for (const { path } of commands) expect(stdout).toMatch(new RegExp(`^  ${path[0]}\\b`, 'm'))
    expect(stdout).toContain('130 interrupted')
  })

  it.each(commands.map((command) => [command.path.join(' '), command] as const))(
    'of %s has an example',
    async (_, command) => {
      const { exit, stdout, stderr } = await typed([...command.path, '--help'], { home })
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
      expect(stdout).toContain(`$ ${command.examples[0]}`)
      expect(stdout).toContain('--json')
    },
  )

  it.each(['run', 'start'])('of %s has an example', async (group) => {
    const { exit, stdout } = await typed([group, '--help'], { home })
    expect(exit).toBe(0)
    expect(stdout).toContain(`$ gauntlet ${group} circt ./my-crash`)
  })

  it('knows its version', async () => {
    const { stdout } = await typed(['--version'], { home })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(JSON.parse((await typed(['--version', '--json'], { home })).stdout)).toEqual({ version: stdout.trim() })
  })
})

describe('a state home that cannot be', () => {
  it('is one line and exit 2', async () => {
    await writeFile(join(home, 'file'), '')
    const env = { GAUNTLET_HOME: join(home, 'file', 'state') }
    const { exit, stderr } = await typed(['list'], { home, env })
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: `gauntlet: GAUNTLET_HOME: expected a folder that this user may make and write, got "${env.GAUNTLET_HOME}": part of the path is not a folder (ENOTDIR)\n`,
    })
  })
})

/** Text means exactly that text. */
function patternOf(line: string | RegExp): RegExp {
  return typeof line === 'string' ? new RegExp(`^${line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`) : line
}

async function aCase(files: Record<string, string>): Promise<void> {
  await mkdir(join(home, 'case'))
  for (const [name, content] of Object.entries(files)) await writeFile(join(home, 'case', name), content)
}

/** The one document on stdout; stderr is silent. */
function errorOf({ exit, stdout, stderr }: Typed): { type: string; message: string } {
  expect({ exit, stderr }).toEqual({ exit: 2, stderr: '' })
  const document = JSON.parse(stdout) as { error: { type: string; message: string } }
  expect(Object.keys(document)).toEqual(['error'])
  return document.error
}
