import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openBox, type OpenBox } from '../../../src/agents/agent-box.js'
import { openAcp } from '../../../src/agents/backends/acp.js'
import type { AgentBox, KnownAgent, RawAnswer, TranscriptEntry } from '../../../src/agents/backends/backend.js'
import type { Ability, AgentOrder } from '../../../src/contracts/agent.js'
import { Failure } from '../../../src/contracts/failures.js'
import type { RunProcess } from '../../../src/contracts/process.js'
import { freshFolder, megabyte, modes, processesNaming, sleeperSeconds } from '../../tools/process/orders.js'
import { failureOf, requestOf, setupOf } from './boxes.js'

const agentFile = join(import.meta.dirname, 'acp-agent.mjs')
const libraries = resolve(import.meta.dirname, '../../../node_modules')

interface Scene {
  detail?: string
  abilities?: Ability
  signal?: AbortSignal
  limitSeconds?: number
  cost?: number
  authMethod?: string
  hasNetwork?: boolean
  onEntry?: (entry: TranscriptEntry) => void
}

/** Stops the agent, for this reason, as soon as it reports that it works. */
function stopAtWork(reason: Error) {
  const stop = new AbortController()
  let stoppedAt = 0
  const onEntry = ({ kind }: TranscriptEntry) => {
    if (kind !== 'tool_call' || stop.signal.aborted) return
    stoppedAt = performance.now()
    stop.abort(reason)
  }
  return { signal: stop.signal, onEntry, stoppedAt: () => stoppedAt }
}

/** Everything of one ask: the folder around the worktree, what came, and the transcript. */
async function play(run: RunProcess, isSandboxed: boolean, scenario: string, scene: Scene = {}) {
  const outer = freshFolder()
  const cwd = prepare(outer)
  const scratch = freshFolder()
  const transcript: TranscriptEntry[] = []
  const agent: Extract<KnownAgent, { kind: 'acp' }> = {
    kind: 'acp',
    argv: [process.execPath, agentFile, scenario, scene.detail ?? ''],
    env: [],
    readable: [agentFile, libraries],
    network: scene.hasNetwork ?? false,
    ...(scene.authMethod === undefined ? {} : { auth_method: scene.authMethod }),
  }
  const record = (entry: TranscriptEntry) => {
    transcript.push(entry)
    scene.onEntry?.(entry)
  }
  const limit = scene.limitSeconds ?? 20
  const clock = new AbortController()
  const timer = setTimeout(() => clock.abort(new Failure('Tool.TimedOut', 'time is over')), limit * 1000)
  const signal = AbortSignal.any([clock.signal, ...(scene.signal === undefined ? [] : [scene.signal])])
  const order: AgentOrder = {
    run_id: 'r1',
    task_id: null,
    step: 'plan',
    round: 1,
    attempt: 1,
    role: 'coder',
    agent: 'acp-test',
    input: {},
    complaints: [],
    continue_from: null,
    workspace: null,
    limit_seconds: limit,
    allowance: { tokens: null, cost: scene.cost ?? null },
    allow_unsandboxed: true,
  }
  const setup = { run, isSandboxed, env: { PATH: process.env['PATH'] }, temporalAddress: null }
  const opened = await openBox(setup, { order, agent, cwd, readable: [], scratch, signal, record })
  const box: AgentBox = { ...opened.box, protected: ['kept.txt'] }
  const asking = openAcp(agent, setupOf()).ask(requestOf({ abilities: scene.abilities ?? 'run' }), box)
  return { outer, cwd, transcript, asking: ended(asking, opened, timer) }
}

async function ended(asking: Promise<RawAnswer>, opened: OpenBox, timer: NodeJS.Timeout): Promise<RawAnswer> {
  try {
    return await asking
  } finally {
    clearTimeout(timer)
    await opened.close()
  }
}

function prepare(outer: string): string {
  const cwd = join(outer, 'tree')
  mkdirSync(join(cwd, 'sub'), { recursive: true })
  writeFileSync(join(cwd, 'sub/inner.txt'), '')
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n')
  writeFileSync(join(cwd, 'kept.txt'), 'kept')
  writeFileSync(join(cwd, 'big.txt'), 'x'.repeat(1024 * 1024))
  writeFileSync(join(outer, 'secret'), 'secret')
  symlinkSync(outer, join(cwd, 'link'))
  return cwd
}

function spoken({ answer }: RawAnswer): unknown {
  return 'text' in answer ? JSON.parse(answer.text) : answer.value
}

describe.each(modes)('an agent of the protocol $mode', ({ isThere, mode, run }) => {
  const isSandboxed = mode.startsWith('in ')
  const act = (scenario: string, scene?: Scene) => play(run, isSandboxed, scenario, scene)

  describe.skipIf(!isThere)('as a process of its own', () => {
    it('is prompted in the worktree, and its last message is the answer', async () => {
      const { cwd, transcript, asking } = await act('answer', { hasNetwork: true })
      const outcome = await asking
      expect(spoken(outcome)).toEqual({
        good: expect.stringMatching(
          new RegExp(`^\\d+ ${cwd} \\{"fs":\\{"readTextFile":true,"writeTextFile":true\\},"terminal":true.*\\} null$`),
        ),
      })
      expect(outcome.usage).toMatchObject({ input_tokens: 150, output_tokens: 25, cost: 0.25 })
      expect(transcript.filter(({ kind }) => kind !== 'stderr')).toEqual([
        { kind: 'text', of: 'thought', text: 'hm, let me see' },
        { kind: 'text', of: 'message', text: 'I look at {"good": "not this"} first.' },
        { kind: 'tool_call', toolCallId: 't1', title: 'Read a.txt', tool: 'read', rawInput: { path: 'a' } },
        { kind: 'tool_result', toolCallId: 't1', tool: null, status: 'completed', rawOutput: 'hello' },
        { kind: 'text', of: 'message', text: expect.stringMatching(/^\{"good":".*"\}$/) },
      ])
    })

    it('reads and writes files through us, of the worktree alone', async () => {
      const { outer, cwd, asking } = await act('files')
      const outside = expect.stringMatching(/^error -32602: .* is outside the worktree$/)
      expect(spoken(await asking)).toEqual({
        read: { content: 'one\ntwo\nthree\n' },
        lines: { content: 'two' },
        missing: expect.stringMatching(/^error -32002/),
        readOutside: outside,
        readUp: outside,
        readLink: outside,
        readGit: expect.stringContaining("git's own files"),
        write: {},
        writeOutside: outside,
        writeLink: outside,
        writeProtected: expect.stringContaining('is protected'),
        writeGit: expect.stringContaining("git's own files"),
      })
      expect(readFileSync(join(cwd, 'deep/new.txt'), 'utf8')).toBe('written')
      expect(readFileSync(join(cwd, 'kept.txt'), 'utf8')).toBe('kept')
      expect(existsSync(join(outer, 'made'))).toBe(false)
    })

    it('has programs run by us, without a shell, and they end with it', async () => {
      const seconds = sleeperSeconds()
      const { asking } = await act('terminal', { detail: seconds })
      expect(spoken(await asking)).toEqual({
        can: true,
        echo: { exitCode: 0, signal: null, output: '$HOME; id\n', truncated: false },
        bad: { exitCode: 3, signal: null, output: 'out\nerr\n', truncated: false },
        env: { exitCode: 0, signal: null, output: 'a b\n', truncated: false },
        folder: { exitCode: 0, signal: null, output: 'inner.txt\n', truncated: false },
        outside: expect.stringContaining('outside the worktree'),
        missing: expect.stringContaining('program not found'),
        long: { exitCode: 0, signal: null, output: 'ééend\n', truncated: true },
        killed: { exitCode: null, signal: 'SIGKILL' },
        gone: expect.stringMatching(/^error -32002/),
      })
      expect(processesNaming(seconds)).toEqual([])
    })

    it('that dies in the middle has failed, with the last it said on stderr', async () => {
      const { asking, transcript } = await act('crash')
      expect(await failureOf(asking)).toMatchObject({
        type: 'Tool.Failed',
        message: 'agent ended with exit code 3 before it had answered: something broke inside',
        details: { usage: { input_tokens: null, output_tokens: null, cost: null } },
      })
      expect(transcript).toContainEqual({ kind: 'text', of: 'message', text: '{"good":' })
      expect(transcript).toContainEqual({ kind: 'stderr', text: 'something broke inside\n' })
    })

    it('that is told to stop ends its turn by itself', async () => {
      const { asking, transcript } = await act('cancel', stopAtWork(new Error('somebody said stop')))
      await expect(asking).rejects.toThrow('somebody said stop')
      expect(transcript).toContainEqual({ kind: 'text', of: 'message', text: '{"good":"late"}' })
    })

    it('that does not listen is killed two seconds later, with all it started', async () => {
      const seconds = sleeperSeconds()
      const stopping = stopAtWork(new Error('somebody said stop'))
      const { asking } = await act('deaf', { ...stopping, detail: seconds })
      await expect(asking).rejects.toThrow('somebody said stop')
      expect(performance.now() - stopping.stoppedAt()).toBeGreaterThanOrEqual(1900)
      expect(processesNaming(seconds)).toEqual([])
    })

    it('leaves no process behind when it has answered', async () => {
      const seconds = sleeperSeconds()
      const { asking } = await act('offspring', { detail: seconds })
      expect(spoken(await asking)).toEqual({ good: 'yes' })
      expect(processesNaming(seconds)).toEqual([])
    })
  })
})

describe('what an agent may do', () => {
  const [bare] = modes
  const permissions = async (abilities: Ability, isSandboxed: boolean) => {
    if (bare === undefined) throw new Error('no runner')
    const { asking } = await play(bare.run, isSandboxed, 'permissions', { abilities })
    return spoken(await asking) as Record<string, string>
  }

  const everything = ['read', 'search', 'think', 'edit', 'delete', 'move', 'execute', 'other', 'fetch', 'switch_mode']

  it.each([
    ['none', []],
    ['read', ['read', 'search', 'think', 'readProtected']],
    ['edit', ['read', 'search', 'think', 'readProtected', 'edit', 'delete', 'move', 'nowhere']],
    [
      'run',
      ['read', 'search', 'think', 'readProtected', 'edit', 'delete', 'move', 'nowhere', 'execute', 'other', 'unknown'],
    ],
  ] as const)('with the ability %s is %j', async (abilities, granted) => {
    const said = await permissions(abilities, true)
    const { onlyForEver, ...asked } = said
    expect(Object.keys(asked)).toEqual(expect.arrayContaining(everything))
    expect(
      Object.entries(asked)
        .flatMap(([what, option]) => (option === 'yes' ? [what] : []))
        .toSorted(),
    ).toEqual([...granted].toSorted())
    expect(new Set(Object.values(asked))).toEqual(new Set(granted.length === 0 ? ['no'] : ['yes', 'no']))
    // Granting for ever would be the last we hear of it.
    expect(onlyForEver).toBe('cancelled')
  })

  it('is not what names no place, where there are no walls', async () => {
    expect(await permissions('run', false)).toMatchObject({ edit: 'yes', nowhere: 'no', unknown: 'no' })
  })

  it('is refused as well when it is simply done', async () => {
    if (bare === undefined) throw new Error('no runner')
    const { asking, cwd } = await play(bare.run, false, 'unwanted', { abilities: 'none' })
    expect(spoken(await asking)).toEqual({
      capabilities: expect.objectContaining({ fs: { readTextFile: false, writeTextFile: false }, terminal: false }),
      read: expect.stringContaining('may not read files'),
      write: expect.stringContaining('may not change files'),
      run: expect.stringContaining('may not run programs'),
      other: expect.stringMatching(/^error -32601/),
    })
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toContain('one')
  })
})

describe('an agent of the protocol', () => {
  const [bare] = modes
  const act = async (scenario: string, scene?: Scene, limits: { outputBytes?: number } = {}) => {
    if (bare === undefined) throw new Error('no runner')
    const run: RunProcess = (order) => bare.run({ ...order, limits: { ...order.limits, ...limits } })
    return play(run, false, scenario, scene)
  }
  const failing = async (scenario: string, scene?: Scene, limits?: { outputBytes?: number }) =>
    failureOf((await act(scenario, scene, limits)).asking)

  it('is told the answer it owes and what was wrong with the last', async () => {
    const { asking } = await act('prompt')
    expect(spoken(await asking)).toMatch(
      /^Say what is good\.\n\nAnswer as your last message: one JSON document.*"required":\["good"\]/s,
    )
  })

  it('that names its messages is believed, and cut short hands on what it has', async () => {
    expect(spoken(await (await act('messages')).asking)).toEqual({ good: 'new' })
  })

  it('that refuses is not asked again; one that sulks over a refused permission is heard', async () => {
    expect(await failing('refuse')).toMatchObject({
      type: 'Agent.Rejected',
      message: 'agent refused: I will not do that.',
    })
    expect(spoken(await (await act('sulk', { abilities: 'edit' })).asking)).toEqual({ good: 'without it' })
  })

  it('gets "cancelled" for what it asks after it was told to stop', async () => {
    const { asking, transcript } = await act('asking', stopAtWork(new Error('stop')))
    await expect(asking).rejects.toThrow('stop')
    expect(transcript).toContainEqual({ kind: 'text', of: 'message', text: '"cancelled"' })
  })

  it('that is silent until its time is over took too long', async () => {
    const over = new Failure('Tool.TimedOut', 'time is over')
    expect(await failing('deaf', stopAtWork(over))).toMatchObject({
      type: 'Tool.TimedOut',
      message: 'agent was not done within 20 s',
      details: { usage: { input_tokens: null } },
    })
  })

  it('that never begins to speak is no agent', async () => {
    expect(await failing('mute', { limitSeconds: 3 })).toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringContaining('did not answer "initialize" within 2 s'),
    })
  })

  it('that prints where it should speak is heard all the same', async () => {
    const { asking, transcript } = await act('garbage')
    expect(spoken(await asking)).toEqual({ good: 'still here' })
    const noise = transcript.filter(({ kind }) => kind === 'note').map((entry) => entry['line'])
    expect(noise).toEqual([
      'Loading model...',
      '\u0000\u0007binary',
      '[1,2]',
      '"text"',
      '{"not":"rpc"}',
      '{"jsonrpc":"2.0","id":77,"result":1}',
    ])
  })

  it('that floods is stopped at its bound, and not all of it is written down', async () => {
    const { asking, transcript } = await act('flood', {}, { outputBytes: 8 * megabyte })
    expect(await failureOf(asking)).toMatchObject({ type: 'Tool.Failed', message: 'agent reached the limit of output' })
    expect(transcript.length).toBeLessThan(60)
    expect(await failing('endless')).toMatchObject({
      type: 'Tool.Failed',
      message: 'agent: it sent a message of more than 16777216 bytes',
    })
  })

  it('that talks without end has no answer', async () => {
    expect(await failing('chatter')).toMatchObject({
      type: 'Agent.InvalidAnswer',
      details: { complaints: ['agent: expected messages of at most 2097152 bytes'] },
    })
  })

  it('that asks and does not listen is stopped', async () => {
    expect(await failing('hog')).toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringContaining('it does not read'),
    })
  })

  it('that asks without end is stopped', async () => {
    expect(await failing('nag')).toMatchObject({
      type: 'Tool.Failed',
      message: 'agent: it asks too much: 1000 questions are open',
    })
  })

  it('that spends more than it may is stopped', async () => {
    expect(await failing('spender', { cost: 1.2 })).toMatchObject({
      type: 'Budget.Exhausted',
      message: 'agent: the agent spent 1.5 $, more than the 1.2 $ that were left',
      details: { usage: { cost: 1.5 } },
    })
  })

  it('that wants to be logged in says how, unless its definition tells it', async () => {
    expect(await failing('login')).toMatchObject({
      type: 'Agent.Rejected',
      message: expect.stringMatching(
        /^agent wants to be logged in \(Authentication required\): .*"env".*"auth_method"$/,
      ),
    })
    const { asking } = await act('login', { authMethod: 'own-login' })
    expect(spoken(await asking)).toEqual({ good: expect.stringContaining(' own-login') })
  })

  it.each([
    ['future', 'Agent.Rejected', /speaks version 2 of the protocol, expected 1$/],
    ['overloaded', 'Agent.Unavailable', /error -32603: .*529 overloaded_error/],
    ['broken', 'Tool.Failed', /error -32603: .*undefined is not a function/],
    ['strange', 'Tool.Failed', /not of the protocol/],
    ['killed', 'Tool.Failed', /ended with signal SIGKILL before it had answered$/],
  ])('%s: %s', async (scenario, type, message) => {
    expect(await failing(scenario)).toMatchObject({ type, message: expect.stringMatching(message) })
  })
})
