import { describe, expect, it, vi } from 'vitest'
import { agreeOnSandbox } from '../../src/cli/agree-on-sandbox.js'
import { openTerminal } from '../../src/cli/terminal.js'
import { collected, fakeStreams } from '../support/typed-cli.js'

const { sandbox } = vi.hoisted(() => ({ sandbox: { kind: 'none', reason: 'bubblewrap (bwrap) is not installed' } }))
vi.mock('../../src/tools/process/sandbox.js', () => ({ detectSandbox: async () => sandbox }))

describe('a run on a machine without a sandbox', () => {
  it('is refused where nobody can be asked, with the flag that would allow it', async () => {
    await expect(agreeOnSandbox(context({ canAsk: false }), typedWith({}))).rejects.toMatchObject({
      type: 'Tool.Missing',
      message: 'no sandbox: bubblewrap (bwrap) is not installed; install bubblewrap, or agree with --unsandboxed',
    })
  })

  it('is allowed by --unsandboxed', async () => {
    expect(await agreeOnSandbox(context({ canAsk: false }), typedWith({ unsandboxed: true }))).toBe(true)
  })

  it.each([
    ['y', true],
    ['YES', true],
  ])('is allowed by a person who says %j', async (answer, agreed) => {
    expect(await agreeOnSandbox(context({ canAsk: true, answer }), typedWith({}))).toBe(agreed)
  })

  it.each(['', 'n', 'yesterday', null])('is refused by a person who says %j', async (answer) => {
    await expect(agreeOnSandbox(context({ canAsk: true, answer }), typedWith({}))).rejects.toThrow(/--unsandboxed/)
  })
})

function typedWith(options: object) {
  return { args: {}, options: { ...options } }
}

function context({ canAsk, answer = null }: { canAsk: boolean; answer?: string | null }) {
  const terminal = openTerminal(fakeStreams(collected().stream, collected().stream), {}, false)
  return {
    terminal: { ...terminal, canAsk, ask: async () => answer },
    env: {},
    home: '/nowhere',
    cwd: '/nowhere',
    signal: new AbortController().signal,
  }
}
