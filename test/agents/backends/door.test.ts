import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AskSetup } from '../../../src/agents/ask-call.js'
import type { AgentDefinition } from '../../../src/contracts/agent-definition.js'
import type { Workspace } from '../../../src/contracts/agent.js'
import { writeDefinition } from '../../../src/tools/agent-definitions.js'
import { aDoor, asking, transcriptOf } from '../../support/agent-door.js'
import { aRun, git, type Run } from '../../support/git-repository.js'
import { failureOf, secretKey } from './boxes.js'
import { sendJson, startModelServer, type Turn } from './model-server.js'

let run: Run
let workspace: Workspace

beforeAll(async () => {
  run = await aRun({ 'given.txt': 'old\n', 'tests/it.txt': 'the test\n' })
  workspace = { repository: run.repository, commit: run.base, protected: ['tests/it.txt'] }
})

const agentFile = join(import.meta.dirname, 'acp-agent.mjs')
const libraries = resolve(import.meta.dirname, '../../../node_modules')

async function doorTo(definition: AgentDefinition): Promise<AskSetup> {
  const door = aDoor({ env: { PATH: process.env['PATH'], OWN_KEY: secretKey } }, run)
  await writeDefinition(door.home, 'worker', definition)
  return door
}

async function modelDoor(...turns: Turn[]): Promise<AskSetup> {
  const { url } = await startModelServer(...turns)
  const server = { provider: 'openai-compatible', model: 'm', base_url: url, key_env: 'OWN_KEY' } as const
  return doorTo({ kind: 'model', ...server, price: { input: 1, output: 2 }, stream: true })
}

function published(commit: string | null, path: string): string {
  return git(run.repository.url, 'show', `${commit}:${path}`)
}

describe('through the door', () => {
  it('what an agent of the protocol wrote, by us and by itself, is published; the tester’s files are not its', async () => {
    const argv: [string, ...string[]] = [process.execPath, agentFile, 'develop']
    const door = await doorTo({ kind: 'acp', argv, env: [], readable: [agentFile, libraries], network: true })
    const reply = await asking(door, { role: 'coder', agent: 'worker', step: 'acp', workspace })
    expect(reply.extract).toEqual({ n: 7, words: expect.stringContaining('"tests/it.txt" is protected') })
    expect(reply.changes).toEqual([
      expect.objectContaining({ action: 'modify', path: 'given.txt' }),
      expect.objectContaining({ action: 'create', path: 'src/made.txt' }),
    ])
    expect(published(reply.commit, 'src/made.txt')).toContain('by us')
    expect(published(reply.commit, 'given.txt')).toContain('by itself')
    const kinds = (await transcriptOf(door, reply.transcript)).map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['request', 'tool_call', 'permission', 'answer']))
  })

  it('what a model edited is published with what it cost, and its key is nowhere', async () => {
    const door = await modelDoor(
      { calls: [{ name: 'edit', input: { path: 'given.txt', new_text: `echo ${secretKey}\n` } }] },
      { calls: [{ name: 'edit', input: { path: 'given.txt', new_text: 'by a model\n' } }] },
      { text: `I saw ${secretKey}`, calls: [{ name: 'submit_answer', input: { n: 1, words: `key ${secretKey}` } }] },
    )
    const reply = await asking(door, { role: 'coder', agent: 'worker', step: 'model', workspace })
    expect(published(reply.commit, 'given.txt')).toBe('by a model')
    expect(reply.usage).toMatchObject({ input_tokens: 300, output_tokens: 60 })
    expect(reply.usage.cost).toBeCloseTo((300 + 2 * 60) / 1e6, 12)
    const kept = [await door.store.get(reply.transcript), await door.store.get(reply.answer)].join('')
    expect(kept).toContain('I saw ')
    expect(JSON.stringify(reply) + kept).not.toContain(secretKey)
  })

  it('an answer of a model that does not fit goes back with what was wrong, its edits kept', async () => {
    const door = await modelDoor(
      { calls: [{ name: 'edit', input: { path: 'given.txt', new_text: 'half way\n' } }] },
      { text: '{"n": "seven"' },
    )
    const failure = await failureOf(asking(door, { role: 'coder', agent: 'worker', step: 'half', workspace }))
    expect(failure).toMatchObject({ type: 'Agent.InvalidAnswer', details: { usage: { input_tokens: 200 } } })
    expect(published(String(failure.details['commit']), 'given.txt')).toBe('half way')
  })

  it('a server that repeats the key in its refusal tells nobody', async () => {
    const door = await modelDoor((response) =>
      sendJson(response, 401, { error: { message: `no such key: ${secretKey}` } }),
    )
    const failure = await failureOf(asking(door, { agent: 'worker' }))
    expect(failure).toMatchObject({ type: 'Agent.Rejected', message: expect.stringContaining('no such key') })
    expect(JSON.stringify([failure.message, failure.details])).not.toContain(secretKey)
  })
})
