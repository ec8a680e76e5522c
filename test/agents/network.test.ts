import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AgentNetwork } from '../../src/contracts/agent-definition.js'
import { aDoor, asking, houseAgent, python, transcriptOf } from '../support/agent-door.js'
import { hasSandbox } from '../support/git-repository.js'

/** Stands for a model server on this machine, and for the Temporal server. */
let server: Server
let port: number
const asked: string[] = []

beforeAll(async () => {
  server = createServer((request, answer) => {
    asked.push(`${request.method} ${request.url} ${request.headers.host}`)
    answer.end('hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

interface Try {
  behave: 'fetch' | 'tunnel' | 'dial'
  words: string
  network: AgentNetwork
  temporal?: string
}

async function attempt({ behave, words, network, temporal }: Try): Promise<{ said: string; notes: unknown[] }> {
  const door = aDoor({ temporalAddress: temporal ?? null })
  await houseAgent(door, { network })
  const reply = await asking(door, { input: { behave, words } })
  const lines = await transcriptOf(door, reply.transcript)
  const notes = lines.filter((line) => line['kind'] === 'note').map((line) => line['text'])
  return { said: (reply.extract as { words: string }).words, notes }
}

describe.skipIf(python === null || !hasSandbox)('the network of an agent in the sandbox', () => {
  it('is none by default, not even this machine', async () => {
    expect((await attempt({ behave: 'dial', words: `127.0.0.1:${port}`, network: false })).said).toContain(
      'unreachable',
    )
  })

  it('reaches a host of this machine that its definition names, through the proxy alone', async () => {
    const network = { hosts: [`127.0.0.1:${port}`] }
    const url = `http://127.0.0.1:${port}/v1?x=1`
    expect(await attempt({ behave: 'fetch', words: url, network })).toEqual({ said: '200 hello', notes: [] })
    expect(asked).toEqual([`GET /v1?x=1 127.0.0.1:${port}`])
    expect((await attempt({ behave: 'dial', words: `127.0.0.1:${port}`, network })).said).toContain('unreachable')
  })

  it('holds for what is encrypted, which the proxy cannot read', async () => {
    const network = { hosts: [`localhost:${port}`] }
    expect((await attempt({ behave: 'tunnel', words: `localhost:${port}`, network })).said).toBe('hello')
    expect(asked.at(-1)).toBe(`GET /through localhost:${port}`)
    const other = await attempt({ behave: 'tunnel', words: `127.0.0.1:${port}`, network })
    expect(other.said).toContain('403')
    expect(other.notes).toEqual([expect.stringContaining(`127.0.0.1:${port} is not on this agent's list`)])
  })

  it.each([
    ['another port', { hosts: ['127.0.0.1:1'] }, 'is not on this agent’s list'],
    ['this machine, when any public host will do', true, 'is not one of 80, 443'],
    ['a name that nobody knows', { hosts: ['localtest.invalid'] }, 'cannot be looked up'],
  ] as [string, AgentNetwork, string][])('does not reach %s', async (_, network, why) => {
    const url = why.includes('looked up') ? 'http://localtest.invalid:443/' : `http://127.0.0.1:${port}/`
    const { said, notes } = await attempt({ behave: 'fetch', words: url, network })
    expect(said).toContain('403')
    expect(notes).toEqual([expect.stringContaining(why.replace('’', "'"))])
  })

  it.each([
    ['by its own address', (at: number) => [`127.0.0.1:${at}`, `http://127.0.0.1:${at}/`]],
    ['by another name of this machine', (at: number) => [`localhost:${at}`, `http://localhost:${at}/`]],
  ])('never reaches the Temporal server, %s, even where the definition names it', async (_, place) => {
    const [host = '', url = ''] = place(port)
    const before = asked.length
    const { said, notes } = await attempt({
      behave: 'fetch',
      words: url,
      network: { hosts: [host] },
      temporal: `127.0.0.1:${port}`,
    })
    expect(said).toContain('403 the Temporal server is not for agents')
    expect(notes).toHaveLength(1)
    expect(asked).toHaveLength(before)
  })
})
