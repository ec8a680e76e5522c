import { chmodSync, mkdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { AGENT_OPTIONS, readAgentOptions } from '../../src/cli/agent-option.js'
import type { CommandInput, Context } from '../../src/cli/command.js'
import { buildProgram } from '../../src/cli/program.js'
import { AgentDefinition } from '../../src/contracts/agent-definition.js'
import type { AgentOptions } from '../../src/contracts/agent.js'
import { freshFolder } from '../support/git-repository.js'

let home: string
let cwd: string

beforeEach(() => {
  home = freshFolder()
  cwd = freshFolder()
  program('agent.py', '#!/bin/sh\n')
})

function program(path: string, text: string): void {
  mkdirSync(join(cwd, path, '..'), { recursive: true })
  writeFileSync(join(cwd, path), text)
  chmodSync(join(cwd, path), 0o755)
}

/** Through commander, as typed. */
async function read(
  argv: readonly string[],
  env: Context['env'] = { PATH: '/usr/bin:/bin', HOUSE_KEY: 'k' },
): Promise<AgentOptions> {
  let options: AgentOptions | undefined
  const command = {
    path: ['try'] as const,
    summary: '',
    examples: ['try'] as const,
    options: AGENT_OPTIONS,
    run: () => Promise.reject(new Error()),
  }
  const onCommand = async ({ input }: { input: CommandInput }) => {
    options = await readAgentOptions({ home, cwd, env } as Context, input)
  }
  await buildProgram([command], '0', { write: () => undefined, onCommand }).parseAsync(['try', ...argv], {
    from: 'user',
  })
  if (options === undefined) throw new Error('no command ran')
  return options
}

function definition(name: string | undefined): AgentDefinition {
  return AgentDefinition.parse(JSON.parse(readFileSync(join(home, 'agents', `${name}.json`), 'utf8')))
}

const NO_BUDGET = { tokens: null, cost: null, rounds: null, seconds: null }

describe('the options of a pipeline that asks agents', () => {
  it('name nobody and limit nothing when nothing is typed', async () => {
    expect(await read([])).toEqual({ agents: [], budget: NO_BUDGET })
  })

  it('become rows in the order they were typed', async () => {
    const { agents } = await read(['--agent', '*=builtin', '--agent', 'coder=model:openai/gpt-5'])
    expect(agents).toEqual([
      { role: '*', agent: 'builtin' },
      { role: 'coder', agent: 'model:openai/gpt-5' },
    ])
  })

  it('make a definition of a program, absolute and for this user alone', async () => {
    writeFileSync(join(cwd, 'house.toml'), '')
    const { agents } = await read([
      '--agent',
      'coder=command:./agent.py --config house.toml -v missing.toml',
      '--agent-env',
      'HOUSE_KEY',
    ])
    const [row] = agents
    expect(row?.agent).toMatch(/^command-agent\.py-[0-9a-f]{8}$/)
    expect(definition(row?.agent)).toEqual({
      kind: 'command',
      argv: [join(cwd, 'agent.py'), '--config', join(cwd, 'house.toml'), '-v', 'missing.toml'],
      env: ['HOUSE_KEY'],
      readable: [cwd],
      network: false,
    })
    expect(statSync(join(home, 'agents', `${row?.agent}.json`)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(home, 'agents', `${row?.agent}.json`), 'utf8')).not.toContain('"k"')
  })

  it('give the same program the same name, and another one another', async () => {
    const name = async (...argv: string[]) => (await read(argv)).agents[0]?.agent
    const first = await name('--agent', '*=command:./agent.py')
    expect(await name('--agent', 'coder=command:./agent.py')).toBe(first)
    expect(await name('--agent', '*=command:./agent.py -v')).not.toBe(first)
    expect(await name('--agent', '*=acp:./agent.py')).not.toBe(first)
  })

  it('show where a program of npm is installed, and its interpreter', async () => {
    program('global/lib/node_modules/house/cli.js', '#!/usr/bin/env housenode\n')
    program('runtime/bin/housenode', '#!/bin/sh\n')
    mkdirSync(join(cwd, 'global/bin'))
    symlinkSync('../lib/node_modules/house/cli.js', join(cwd, 'global/bin/house'))
    const { agents } = await read(['--agent', '*=acp:house acp'], { PATH: `${cwd}/global/bin:${cwd}/runtime/bin` })
    expect(definition(agents[0]?.agent)).toMatchObject({
      argv: [join(cwd, 'global/bin/house'), 'acp'],
      readable: [join(cwd, 'global'), join(realpathSync(cwd), 'global/lib/node_modules'), join(cwd, 'runtime')],
      network: true,
    })
  })

  it.each([
    [
      ['--agent-host', 'api.example.org', '--agent-host', 'localhost:11434'],
      { hosts: ['api.example.org', 'localhost:11434'] },
    ],
    [['--agent-host', '*'], true],
  ])('say what a program may reach: %j', async (argv, network) => {
    const { agents } = await read(['--agent', '*=command:./agent.py', ...argv])
    expect(definition(agents[0]?.agent)).toMatchObject({ network })
  })

  it('pin the content of a script', async () => {
    writeFileSync(join(cwd, 'plan.json'), '{"answers":[]}')
    const before = (await read(['--agent', '*=script:plan.json'])).agents[0]?.agent
    expect(definition(before)).toMatchObject({ kind: 'script', file: join(cwd, 'plan.json') })
    writeFileSync(join(cwd, 'plan.json'), '{"answers": []}')
    expect((await read(['--agent', '*=script:plan.json'])).agents[0]?.agent).not.toBe(before)
  })

  it('take a name that is defined here', async () => {
    const { agents } = await read(['--agent', '*=command:./agent.py'])
    const name = agents[0]?.agent ?? ''
    expect((await read(['--agent', `coder=${name}`])).agents).toEqual([{ role: 'coder', agent: name }])
  })

  it('limit a run', async () => {
    const argv = ['--max-tokens', '500000', '--max-cost', '2.50', '--max-rounds', '30', '--max-time', '2h']
    expect((await read(argv)).budget).toEqual({ tokens: 500_000, cost: 2.5, rounds: 30, seconds: 7_200 })
  })

  it.each([
    [['--agent', 'coder=command:./none.py'], '--agent: expected a program that can be run, got "./none.py"'],
    [
      ['--agent', 'coder=command:./agent.py | tee'],
      "--agent: expected a command without a shell's marks behind command:, got",
    ],
    [
      ['--agent', 'coder=command:./agent.py', '--agent-env', 'UNSET'],
      '--agent-env: expected a variable that is set, got "UNSET"',
    ],
    [['--agent', 'coder=command:./agent.py', '--agent-host', 'http://x'], '--agent-host'],
    [['--agent', 'coder=script:none.json'], '--agent script:none.json: not found'],
    [['--agent', 'coder=stranger'], 'an agent defined in agents/stranger.json, got "stranger"'],
    [['--agent', 'cook=builtin'], '--agent: expected a role'],
    [['--agent', '--max-time'], '--agent: expected a value, got the option --max-time'],
    [['--max-tokens', '0'], '--max-tokens: expected a whole number above 0, got "0"'],
    [['--max-tokens', '1.5'], '--max-tokens: expected a whole number above 0, got "1.5"'],
    [['--max-cost', '-1'], '--max-cost'],
    [['--max-time', 'soon'], '--max-time: expected a duration'],
    [['--max-time', '0s'], '--max-time: expected a duration'],
  ])('%j is a mistake that says what was expected', async (argv, words) => {
    await expect(read(argv)).rejects.toThrow(words)
  })
})
