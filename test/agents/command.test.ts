import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { AskSetup } from '../../src/agents/ask-call.js'
import { aDoor, asking, bareRunner, houseAgent, python, transcriptOf } from '../support/agent-door.js'
import { hasSandbox } from '../support/git-repository.js'
import { sleeperSeconds } from '../tools/process/orders.js'

const modes = [
  { mode: 'in the sandbox', isThere: hasSandbox, over: {} },
  {
    mode: 'on the bare machine',
    isThere: true,
    over: { run: bareRunner, isSandboxed: false } satisfies Partial<AskSetup>,
  },
]

describe.skipIf(python === null).each(modes)('an agent that is a program, $mode', ({ isThere, over }) => {
  describe.skipIf(!isThere)('there', () => {
    const behave = async (how: string, words = '', rest: Parameters<typeof asking>[1] = {}) => {
      const door = aDoor(over)
      await houseAgent(door)
      return await asking(door, { input: { behave: how, words }, ...rest })
    }

    it('is given one JSON document and answers with one', async () => {
      const reply = await behave('request', 'w', { complaints: ['n was missing'], attempt: 2 })
      const { words } = reply.extract as { words: string }
      expect(JSON.parse(words)).toEqual({
        protocol: 'gauntlet.agent/1',
        role: 'planner',
        run_id: 'r1',
        task_id: 'TASK-001',
        attempt: 2,
        abilities: 'none',
        input: { behave: 'request', words: 'w' },
        prompt: 'behave: request; given: nothing',
        answer_schema: expect.objectContaining({ type: 'object', required: ['n', 'words'] }) as unknown,
        complaints: ['n was missing'],
      })
      expect(reply.usage).toMatchObject({ input_tokens: null, output_tokens: null, cost: null })
      expect(reply).toMatchObject({ commit: null, changes: [], is_sandboxed: over.isSandboxed ?? true })
    })

    it.each(['answer', 'fenced', 'deaf', 'megabyte'])('is understood when it answers like "%s"', async (how) => {
      expect((await behave(how)).extract).toMatchObject({ n: 7 })
    })

    it.each([
      ['garbage', 'Agent.InvalidAnswer', 'no JSON document was found'],
      ['half', 'Agent.InvalidAnswer', 'not complete'],
      ['wrong then right', 'Agent.InvalidAnswer', 'n: expected number, got "seven"'],
      ['huge', 'Agent.InvalidAnswer', 'bytes, expected at most 2097152'],
      ['flood', 'Tool.Failed', 'reached the limit of output'],
      ['later', 'Agent.Unavailable', 'overloaded, come again'],
      ['fail', 'Tool.Failed', 'exit code 3, expected 0: line one\nno such model: house-1'],
      ['crash', 'Tool.Failed', 'signal SIGABRT'],
    ])('that behaves like "%s" is %s', async (how, type, words) => {
      await expect(behave(how)).rejects.toMatchObject({ type, message: expect.stringContaining(words) as unknown })
    })

    it('that hangs is killed at its limit, with all that it started', async () => {
      const seconds = sleeperSeconds()
      const forked = behave('fork', seconds, { limit_seconds: 1.5 })
      await expect(forked).rejects.toMatchObject({
        type: 'Tool.TimedOut',
        message: 'planner (house) gave no answer within 1.5 s',
        details: { usage: { input_tokens: null } },
      })
      expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`sleep ${seconds}`)
    })

    it('dies with all that it started when the call is cancelled', async () => {
      const seconds = sleeperSeconds()
      const door = aDoor(over)
      await houseAgent(door)
      const stop = new AbortController()
      const forked = asking(door, { input: { behave: 'fork', words: seconds } }, stop.signal)
      setTimeout(() => stop.abort(), 700)
      await expect(forked).rejects.toThrow()
      expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`sleep ${seconds}`)
    })

    it('is given an allow-list of variables, a home of its own, and what its definition names', async () => {
      const env = {
        PATH: process.env['PATH'],
        LANG: 'C.UTF-8',
        GITHUB_TOKEN: 'ghp_planted',
        TEMPORAL_API_KEY: 'planted-key',
        GAUNTLET_HOME: '/g',
        OTHER: 'x',
        NAMED: 'named value',
      }
      const door = aDoor({ ...over, env })
      await houseAgent(door, { env: ['NAMED'] })
      const reply = await asking(door, { input: { behave: 'environment', words: '' } })
      const seen = JSON.parse((reply.extract as { words: string }).words) as Record<string, string>
      expect(Object.keys(seen).sort()).toEqual(expect.arrayContaining(['HOME', 'LANG', 'NAMED', 'PATH', 'TMPDIR']))
      for (const name of ['GITHUB_TOKEN', 'TEMPORAL_API_KEY', 'GAUNTLET_HOME', 'OTHER'])
        expect(seen).not.toHaveProperty(name)
      expect(seen['HOME']).toContain(door.scratchRoot)
    })

    it('has its words on stderr in the transcript, between question and answer', async () => {
      const door = aDoor(over)
      await houseAgent(door)
      const failed = await asking(door, { input: { behave: 'fail', words: '' } }).catch((error: unknown) => error)
      const { transcript } = (failed as { details: { transcript: unknown } }).details
      const lines = await transcriptOf(door, transcript)
      expect(lines.map((line) => line['kind'])).toEqual(['request', 'stderr', 'note'])
      expect(lines[1]).toMatchObject({ text: 'line one\nno such model: house-1\n' })
    })
  })
})

describe('a program that cannot be run', () => {
  it('is Tool.Missing when it is not there', async () => {
    const door = aDoor()
    await houseAgent(door, { argv: ['/no/such/program'] })
    await expect(asking(door)).rejects.toMatchObject({ type: 'Tool.Missing' })
  })

  it('is not run without a sandbox that nobody agreed to do without', async () => {
    const door = aDoor({ isSandboxed: false, run: () => Promise.reject(new Error('it was run')) })
    await houseAgent(door, { argv: ['/bin/sh'] })
    const refused = asking(door, { allow_unsandboxed: false })
    await expect(refused).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: expect.stringContaining('--unsandboxed') as unknown,
    })
  })

  it('may be known to another worker when this one does not know its name', async () => {
    await expect(asking(aDoor(), { agent: 'stranger' })).rejects.toMatchObject({
      type: 'Agent.Unavailable',
      isLocal: true,
    })
  })
})
