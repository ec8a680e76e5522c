// An agent on the protocol's own SDK. What it does is its first argument; what it saw is its answer.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'

const [, , scenario = 'answer', detail = ''] = process.argv
const { session, fs, terminal } = methods.client
let cancelled = () => {}
const cancel = new Promise((resolve) => (cancelled = resolve))
let capabilities = null
let cwd = ''
let loggedIn = null

function talk(client, sessionId) {
  const update = (value) => client.notify(session.update, { sessionId, update: value })
  const text = (words, kind = 'agent_message_chunk', messageId) =>
    update({ sessionUpdate: kind, content: { type: 'text', text: words }, ...(messageId ? { messageId } : {}) })
  const attempt = async (work) => {
    try {
      return (await work()) ?? 'done'
    } catch (error) {
      return `error ${error.code}: ${error.message}`
    }
  }
  const answer = async (value, end = { stopReason: 'end_turn' }) => {
    await text(JSON.stringify(value))
    return end
  }
  const permit = async (toolCall, options) => {
    const { outcome } = await client.request(session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'one', title: 'a tool', ...toolCall },
      options: options ?? [
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
        { optionId: 'no', name: 'No', kind: 'reject_once' },
      ],
    })
    return outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
  }
  const work = () => update({ sessionUpdate: 'tool_call', toolCallId: 'w', title: 'work', kind: 'think' })
  return { client, sessionId, update, work, text, attempt, answer, permit }
}

const forever = () => new Promise(() => setInterval(() => {}, 1000))

const scenarios = {
  answer: async ({ update, text }, prompt) => {
    await text('hm, ', 'agent_thought_chunk')
    await text('let me see', 'agent_thought_chunk')
    await text('I look at {"good": "not this"} first.')
    await update({
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'Read a.txt',
      kind: 'read',
      rawInput: { path: 'a' },
    })
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed', rawOutput: 'hello' })
    await update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.25, currency: 'USD' } })
    await text('{"good":')
    await text(JSON.stringify(`${prompt.length} ${cwd} ${JSON.stringify(capabilities)} ${loggedIn}`))
    await text('}')
    const usage = { totalTokens: 175, inputTokens: 100, outputTokens: 20, thoughtTokens: 5, cachedReadTokens: 50 }
    return { stopReason: 'end_turn', usage }
  },
  prompt: ({ answer }, prompt) => answer(prompt),
  messages: async ({ text }) => {
    await text('{"good":', undefined, 'm1')
    await text('"old"}', undefined, 'm1')
    await text('{"good":"new"}', undefined, 'm2')
    return { stopReason: 'max_tokens' }
  },
  permissions: async ({ permit, answer, update }) => {
    const inside = [{ path: `${cwd}/a.txt` }]
    const outside = [{ path: '/etc/passwd' }]
    const said = {}
    for (const kind of [
      'read',
      'search',
      'think',
      'edit',
      'delete',
      'move',
      'execute',
      'other',
      'fetch',
      'switch_mode',
    ])
      said[kind] = await permit({ kind, locations: inside })
    said.nowhere = await permit({ kind: 'edit', locations: [] })
    said.outside = await permit({ kind: 'edit', locations: [...inside, ...outside] })
    said.link = await permit({ kind: 'edit', locations: [{ path: `${cwd}/link/x` }] })
    said.protected = await permit({ kind: 'edit', locations: [{ path: `${cwd}/kept.txt` }] })
    said.readProtected = await permit({ kind: 'read', locations: [{ path: `${cwd}/kept.txt` }] })
    said.unknown = await permit({ kind: null })
    await update({ sessionUpdate: 'tool_call', toolCallId: 'early', title: 'early', kind: 'edit', locations: outside })
    said.early = await permit({ toolCallId: 'early' })
    said.onlyForEver = await permit({ kind: 'read' }, [{ optionId: 'always', name: 'Always', kind: 'allow_always' }])
    return answer(said)
  },
  files: async ({ client, sessionId, attempt, answer }) => {
    const read = (path, rest = {}) => attempt(() => client.request(fs.readTextFile, { sessionId, path, ...rest }))
    const write = (path) => attempt(() => client.request(fs.writeTextFile, { sessionId, path, content: 'written' }))
    return answer({
      read: await read(`${cwd}/a.txt`),
      lines: await read(`${cwd}/a.txt`, { line: 2, limit: 1 }),
      missing: await read(`${cwd}/none.txt`),
      readOutside: await read('/etc/passwd'),
      readUp: await read(`${cwd}/../secret`),
      readLink: await read(`${cwd}/link/secret`),
      readGit: await read(`${cwd}/.git/config`),
      write: await write(`${cwd}/deep/new.txt`),
      writeOutside: await write(`${cwd}/../made`),
      writeLink: await write(`${cwd}/link/made`),
      writeProtected: await write(`${cwd}/kept.txt`),
      writeGit: await write(`${cwd}/.git/hooks/pre-commit`),
    })
  },
  terminal: async ({ client, sessionId, attempt, answer }) => {
    const start = (order) => client.createTerminal({ sessionId, ...order })
    const finished = async (order) => {
      const handle = await start(order)
      const exit = await handle.waitForExit()
      const { output, truncated } = await handle.currentOutput()
      await handle.release()
      return { ...exit, output, truncated }
    }
    const said = { can: capabilities.terminal }
    said.echo = await attempt(() =>
      finished({ command: 'node', args: ['-e', 'console.log(process.argv[1])', '$HOME; id'] }),
    )
    said.bad = await attempt(() => finished({ command: 'sh', args: ['-c', 'echo out; echo err >&2; exit 3'] }))
    said.env = await attempt(() =>
      finished({ command: 'printenv', args: ['MINE'], env: [{ name: 'MINE', value: 'a b' }] }),
    )
    said.folder = await attempt(() => finished({ command: 'ls', cwd: `${cwd}/sub` }))
    said.outside = await attempt(() => finished({ command: 'ls', cwd: '/etc' }))
    said.missing = await attempt(() => finished({ command: 'no-such-program' }))
    said.long = await attempt(() =>
      finished({ command: 'node', args: ['-e', "console.log('é'.repeat(100) + 'end')"], outputByteLimit: 8 }),
    )
    said.killed = await attempt(async () => {
      const handle = await start({ command: 'sleep', args: [detail] })
      await handle.kill()
      return handle.waitForExit()
    })
    said.gone = await attempt(() => client.request(terminal.output, { sessionId, terminalId: 'terminal-1' }))
    await attempt(() => start({ command: 'sleep', args: [detail] }))
    return answer(said)
  },
  unwanted: async ({ client, sessionId, attempt, answer }) =>
    answer({
      capabilities,
      read: await attempt(() => client.request(fs.readTextFile, { sessionId, path: `${cwd}/a.txt` })),
      write: await attempt(() => client.request(fs.writeTextFile, { sessionId, path: `${cwd}/a.txt`, content: 'x' })),
      run: await attempt(() => client.createTerminal({ sessionId, command: 'ls' })),
      other: await attempt(() => client.request('no/such_method', {})),
    }),
  develop: async ({ client, sessionId, attempt, answer }) => {
    const write = (path) => attempt(() => client.request(fs.writeTextFile, { sessionId, path, content: 'by us\n' }))
    await write(`${cwd}/src/made.txt`)
    const refusal = await write(`${cwd}/tests/it.txt`)
    writeFileSync('given.txt', 'by itself\n')
    return answer({ n: 7, words: refusal })
  },
  crash: async ({ text }) => {
    await text('{"good":')
    console.error('something broke inside')
    setTimeout(() => process.exit(3), 20)
    await forever()
  },
  killed: async () => {
    process.kill(process.pid, 'SIGKILL')
    await forever()
  },
  refuse: async ({ text }) => {
    await text('I will not do that.')
    return { stopReason: 'refusal' }
  },
  sulk: async ({ permit, text }) => {
    await permit({ kind: 'execute' })
    await text('{"good":"without it"}')
    return { stopReason: 'refusal' }
  },
  cancel: async ({ text, work }) => {
    await work()
    await cancel
    await text('{"good":"late"}')
    return { stopReason: 'cancelled' }
  },
  deaf: async ({ work }) => {
    spawn('sleep', [detail || '60'], { stdio: 'ignore' })
    await work()
    await forever()
  },
  asking: async ({ work, permit, answer }) => {
    await work()
    await cancel
    return answer(await permit({ kind: 'read' }))
  },
  garbage: async ({ answer }) => {
    process.stdout.write(
      'Loading model...\n\u0000\u0007binary\n[1,2]\n"text"\n{"not":"rpc"}\n{"jsonrpc":"2.0","id":77,"result":1}\n',
    )
    process.stdout.write(
      '{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk"}}}\n',
    )
    process.stdout.write(
      '{"jsonrpc":"2.0","method":"session/update","params":7}\n{"jsonrpc":"2.0","method":"new/thing"}\n',
    )
    return answer({ good: 'still here' })
  },
  flood: () => {
    const line = `${'x'.repeat(1023)}\n`.repeat(64)
    const go = () => process.stdout.write(line, go)
    go()
    return forever()
  },
  endless: () => {
    const part = 'x'.repeat(65_536)
    const go = () => process.stdout.write(part, go)
    go()
    return forever()
  },
  chatter: async ({ text }) => {
    for (let index = 0; index < 40; index++) await text('y'.repeat(64 * 1024))
    return { stopReason: 'end_turn' }
  },
  hog: async ({ sessionId }) => {
    process.stdin.pause()
    const ask = (id) =>
      `${JSON.stringify({ jsonrpc: '2.0', id: `x${id}`, method: fs.readTextFile, params: { sessionId, path: `${cwd}/big.txt` } })}\n`
    for (let id = 0; id < 200; id++) process.stdout.write(ask(id))
    // Nothing is read from here on.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  },
  nag: async ({ sessionId }) => {
    const asking = { jsonrpc: '2.0', method: fs.readTextFile, params: { sessionId, path: `${cwd}/big.txt` } }
    const lines = Array.from({ length: 20_000 }, (_, id) => JSON.stringify({ ...asking, id: `x${id}` }))
    process.stdout.write(`${lines.join('\n')}\n`)
    await forever()
  },
  spender: async ({ update, text }) => {
    for (const amount of [0.5, 1, 1.5]) {
      await update({ sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } })
      await text('.')
    }
    await forever()
  },
  overloaded: () => {
    throw RequestError.internalError({ details: 'API Error: 529 overloaded_error' })
  },
  broken: () => {
    throw RequestError.internalError({ details: 'undefined is not a function' })
  },
  strange: () => ({ stopReason: 'bored' }),
  offspring: async ({ answer }) => {
    spawn('sleep', [detail], { detached: true, stdio: 'ignore' }).unref()
    spawn('sleep', [detail], { stdio: 'inherit' })
    return answer({ good: 'yes' })
  },
}

const acting = agent({ name: 'test' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    if (scenario === 'mute') return forever()
    capabilities = params.clientCapabilities
    const authMethods = [{ id: 'own-login', name: 'Own login' }]
    return { protocolVersion: scenario === 'future' ? 2 : params.protocolVersion, agentCapabilities: {}, authMethods }
  })
  .onRequest(methods.agent.authenticate, ({ params }) => {
    loggedIn = params.methodId
    return {}
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    if (scenario === 'login' && loggedIn === null) throw RequestError.authRequired()
    cwd = params.cwd
    return { sessionId: 's1' }
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const play = scenarios[scenario] ?? scenarios.answer
    return play(talk(client, params.sessionId), params.prompt.map(({ text }) => text).join(''))
  })
  .onNotification(methods.agent.session.cancel, () => cancelled())

acting.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
