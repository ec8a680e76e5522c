import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentBox } from '../../../src/agents/backends/backend.js'
import { freshFolder, modes, order } from '../../tools/process/orders.js'
import { askModel, boxIn, failureOf, type TestBox } from './boxes.js'
import { startModelServer, type Said, type Turn } from './model-server.js'

const submit: Said = { calls: [{ name: 'submit_answer', input: { good: 'done' } }] }

function call(name: string, input: unknown): Said {
  return { calls: [{ name, input }] }
}

async function work(box: TestBox, ...turns: Turn[]) {
  const server = await startModelServer(...turns)
  const answer = await askModel({ base_url: server.url }, { request: { abilities: 'run' }, box })
  const results = box.transcript.filter(({ kind }) => kind === 'tool_result')
  return { ...answer, asked: server.asked, results: results.map((entry) => String(entry['value'])) }
}

function runIn(folder: string, run = modes[0]?.run): AgentBox['run'] {
  return async ({ argv, timeMs = 10_000 }) => {
    if (run === undefined) throw new Error('no runner')
    return run(order(argv, { cwd: folder, limits: { timeMs } }))
  }
}

describe.each(modes)('a model whose programs run $mode', ({ isThere, run }) => {
  it.skipIf(!isThere)('reads, searches, edits and runs within its worktree', async () => {
    const folder = freshFolder()
    writeFileSync(join(folder, 'sum.mjs'), 'export const sum = (a, b) => a - b\n')
    const outcome = await work(
      boxIn(folder, { run: runIn(folder, run) }),
      call('search', { text: 'sum' }),
      call('read', { path: 'sum.mjs' }),
      call('edit', { path: 'sum.mjs', old_text: 'a - b', new_text: 'a + b' }),
      call('run', { command: ['node', '-e', "import('./sum.mjs').then(({ sum }) => console.log(sum(2, 3)))"] }),
      submit,
    )
    expect(outcome.answer).toEqual({ value: { good: 'done' } })
    expect(outcome.results).toEqual([
      'sum.mjs:1: export const sum = (a, b) => a - b',
      'export const sum = (a, b) => a - b\n',
      'written',
      '[exit code 0]\n5\n',
    ])
    // What was done is what the next call is told.
    expect(JSON.stringify(outcome.asked[4]?.body['messages'])).toContain('[exit code 0]')
  })
})

describe('a model with tools', () => {
  it('that asks for paths outside is told no and nothing happens', async () => {
    const folder = freshFolder()
    const outside = join(dirname(folder), 'gauntlet-outside')
    symlinkSync('/etc', join(folder, 'link'))
    const outcome = await work(
      boxIn(folder, { protected: ['kept.ts'] }),
      call('read', { path: '/etc/passwd' }),
      call('read', { path: 'link/passwd' }),
      call('edit', { path: '../gauntlet-outside', new_text: 'x' }),
      call('edit', { path: '.git/hooks/pre-commit', new_text: 'x' }),
      call('edit', { path: 'kept.ts', new_text: 'x' }),
      call('run', { command: ['../../bin/no-such'] }),
      submit,
    )
    expect(outcome.results).toEqual([
      '"/etc/passwd" is outside the worktree',
      '"link/passwd" is outside the worktree',
      '"../gauntlet-outside" is outside the worktree',
      `".git/hooks/pre-commit" is among git's own files`,
      '"kept.ts" is protected: it may not be changed',
      'program not found: ../../bin/no-such',
    ])
    expect(existsSync(outside)).toBe(false)
    expect(existsSync(join(folder, 'kept.ts'))).toBe(false)
  })

  it('is told what is wrong with a call it cannot have meant, and goes on', async () => {
    const folder = freshFolder()
    const outcome = await work(
      boxIn(folder),
      call('edit', { path: 'a' }),
      call('edit', '{"path": "a", "new_te'),
      call('format_disk', { now: true }),
      submit,
    )
    expect(outcome.answer).toEqual({ value: { good: 'done' } })
    const told = JSON.stringify(outcome.asked.map(({ body }) => body['messages']))
    expect(told).toContain('new_text')
    expect(told).toMatch(/format_disk.{0,40}not (available|found)|unavailable tool 'format_disk'/)
    expect(outcome.asked).toHaveLength(4)
  })

  it('may answer with its last words, or submit what is no JSON: the parser is to judge', async () => {
    expect((await work(boxIn(freshFolder()), { text: 'Here: {"good":"words"}' })).answer).toEqual({
      text: 'Here: {"good":"words"}',
    })
    expect((await work(boxIn(freshFolder()), call('submit_answer', '{"good":"ha'))).answer).toEqual({
      text: '{"good":"ha',
    })
  })

  it('may edit and submit in one breath', async () => {
    const folder = freshFolder()
    const calls = [
      { name: 'submit_answer', input: { good: 'done' } },
      { name: 'edit', input: { path: 'late.txt', new_text: 'late' } },
    ]
    const outcome = await work(boxIn(folder), { calls })
    expect(outcome.answer).toEqual({ value: { good: 'done' } })
    expect(readFileSync(join(folder, 'late.txt'), 'utf8')).toBe('late')
  })

  it('that uses tools for ever must answer in its hundredth round, and has failed if it does not', async () => {
    const server = await startModelServer(call('list', {}))
    const asking = askModel({ base_url: server.url }, { request: { abilities: 'read' }, box: boxIn(freshFolder()) })
    expect(await failureOf(asking)).toMatchObject({
      type: 'Agent.InvalidAnswer',
      message: 'no answer after 100 rounds of tool use',
      details: { usage: { input_tokens: 10_000, output_tokens: 2000 }, complaints: [expect.any(String)] },
    })
    expect(server.asked).toHaveLength(100)
    expect(server.asked[98]?.body['tool_choice']).toBe('auto')
    expect(JSON.stringify(server.asked[99]?.body['tool_choice'])).toContain('submit_answer')
  })

  it('is stopped between two tools when somebody says stop', async () => {
    const folder = freshFolder()
    const stop = new AbortController()
    const box = boxIn(folder, { signal: stop.signal })
    const record = (entry: Parameters<typeof box.record>[0]) => {
      if (entry.kind === 'tool_call') stop.abort(new Error('stop'))
    }
    const calls = ['a', 'b'].map((path) => ({ name: 'edit', input: { path, new_text: 'x' } }))
    await expect(work({ ...box, record }, { calls })).rejects.toThrow('stop')
    expect(existsSync(join(folder, 'b'))).toBe(false)
  })

  it('submits an answer that is no object within one', async () => {
    const list = { $defs: { one: { type: 'number' } }, type: 'array', items: { $ref: '#/$defs/one' } }
    const request = { abilities: 'read', answer_schema: list } as const
    const ask = async (turn: Turn) => {
      const server = await startModelServer(turn)
      const { answer } = await askModel({ base_url: server.url }, { request, box: boxIn(freshFolder()) })
      const tools = server.asked[0]?.body['tools'] as { function: { name: string; parameters: unknown } }[]
      return { answer, parameters: tools.find((each) => each.function.name === 'submit_answer')?.function.parameters }
    }
    expect(await ask(call('submit_answer', { answer: [1] }))).toEqual({
      answer: { value: [1] },
      parameters: expect.objectContaining({
        $defs: list.$defs,
        properties: { answer: { type: 'array', items: list.items } },
      }),
    })
    expect((await ask(call('submit_answer', { other: [1] }))).answer).toEqual({ value: { other: [1] } })
    expect((await ask({ text: '[1]' })).answer).toEqual({ text: '[1]' })
  })
})
