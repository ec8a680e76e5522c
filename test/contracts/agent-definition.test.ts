import { describe, expect, it } from 'vitest'
import { AgentDefinition } from '../../src/contracts/agent-definition.js'

const model = { kind: 'model', provider: 'openai-compatible', model: 'm' }
const acp = { kind: 'acp', argv: ['/usr/bin/agent', '--acp'] }

describe('the definition of an agent', () => {
  it('fills in what is not said', () => {
    expect(AgentDefinition.parse(model)).toEqual({ ...model, stream: true })
    expect(AgentDefinition.parse(acp)).toEqual({ ...acp, env: [], readable: [], network: true })
  })

  it.each([
    { ...model, base_url: 'http://127.0.0.1:8000/v1', key_env: 'MY_KEY', max_output_tokens: 1, stream: false },
    { ...model, price: { input: 0, output: 0.5 } },
    { ...acp, auth_method: 'own-login' },
  ])('may be %j', (definition) => {
    expect(AgentDefinition.parse(definition)).toMatchObject(definition)
  })

  it.each([
    ['a vendor nobody knows', { ...model, provider: 'other' }],
    ['an address that is none', { ...model, base_url: 'localhost:8000' }],
    ['a file as its server', { ...model, base_url: 'file:///etc/passwd' }],
    ['a key instead of the name of its variable', { ...model, key_env: 'sk-0123' }],
    ['a key of its own', { ...model, api_key: 'sk-0123' }],
    ['half a price', { ...model, price: { input: 1 } }],
    ['a price below nothing', { ...model, price: { input: 1, output: -1 } }],
    ['no output at all', { ...model, max_output_tokens: 0 }],
    ['a program that has to be looked for', { ...acp, argv: ['agent'] }],
    ['a kind nobody knows', { kind: 'mcp', argv: ['/usr/bin/agent'] }],
  ])('is refused with %s', (_what, definition) => {
    expect(AgentDefinition.safeParse(definition).success).toBe(false)
  })
})
