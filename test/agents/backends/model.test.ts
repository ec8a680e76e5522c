import { describe, expect, it } from 'vitest'
import { openModel } from '../../../src/agents/backends/model.js'
import { freshFolder } from '../../tools/process/orders.js'
import { askModel, boxIn, env, failureOf, requestOf, secretKey, setupOf } from './boxes.js'
import { sendEvents, sendJson, startModelServer } from './model-server.js'

const servers = [
  { provider: 'openai-compatible', path: '/v1/chat/completions' },
  { provider: 'openai', path: '/v1/responses' },
  { provider: 'anthropic', path: '/v1/messages' },
] as const
const ways = servers.flatMap((server) => [
  { ...server, stream: true },
  { ...server, stream: false },
])

describe.each(ways)('a model of $provider, streaming $stream', ({ provider, path, stream }) => {
  it('is asked with prompt, schema and complaints, and its answer comes back as text with what it used', async () => {
    const server = await startModelServer({ text: '{"good":"yes"}', usage: { input: 1200, output: 30 } })
    const box = boxIn(freshFolder())
    const definition = { provider, stream, base_url: server.url, price: { input: 3, output: 15 } }
    const answer = await askModel(definition, { request: { complaints: ['good is missing'] }, box })
    expect(answer.answer).toEqual({ text: '{"good":"yes"}' })
    expect(answer.usage).toMatchObject({ input_tokens: 1200, output_tokens: 30 })
    expect(answer.usage.cost).toBeCloseTo((1200 * 3 + 30 * 15) / 1e6, 10)
    const [asked] = server.asked
    expect(asked?.path).toBe(path)
    const sent = JSON.stringify(asked?.body)
    expect(sent).toContain('Say what is good.')
    expect(sent).toContain('good is missing')
    expect(sent).toContain('additionalProperties')
    expect(asked?.body['stream'] ?? false).toBe(stream)
    expect(asked?.headers['authorization'] ?? asked?.headers['x-api-key']).toContain(secretKey)
    expect(JSON.stringify([box.transcript, answer])).not.toContain(secretKey)
  })

  it('works with tools until it submits its answer', async () => {
    const folder = freshFolder()
    const server = await startModelServer(
      { calls: [{ name: 'edit', input: { path: 'a.txt', new_text: 'hello\n' } }] },
      {
        text: 'Now I look.',
        calls: [
          { name: 'read', input: { path: 'a.txt' } },
          { name: 'list', input: {} },
        ],
      },
      { calls: [{ name: 'submit_answer', input: { good: 'done' } }] },
    )
    const box = boxIn(folder)
    const definition = { provider, stream, base_url: server.url }
    const answer = await askModel(definition, { request: { abilities: 'edit' }, box })
    expect(answer.answer).toEqual({ value: { good: 'done' } })
    expect(answer.usage).toMatchObject({ input_tokens: 300, output_tokens: 60, cost: null })
    expect(server.asked).toHaveLength(3)
    expect(JSON.stringify(server.asked[2]?.body)).toContain('hello\\n')
    expect(box.transcript.filter(({ kind }) => kind === 'tool_call').map((entry) => entry['name'])).toEqual([
      'edit',
      'read',
      'list',
      'submit_answer',
    ])
    expect(box.transcript).toContainEqual({ kind: 'tool_result', name: 'read', type: 'text', value: 'hello\n' })
    expect(box.transcript).toContainEqual({ kind: 'text', text: 'Now I look.' })
  })

  it.each([401, 403, 404, 400, 413, 422])('that is refused with %i is not asked again', async (status) => {
    const words = `no: ${secretKey} is wrong`
    const server = await startModelServer((response) =>
      sendJson(response, status, { type: 'error', error: { type: 'x_error', message: words } }),
    )
    const failure = await failureOf(askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure).toMatchObject({ type: 'Agent.Rejected', message: expect.stringContaining(`HTTP ${status}`) })
    expect(failure.message).toContain('[key] is wrong')
    expect(JSON.stringify([failure.message, failure.details])).not.toContain(secretKey)
    expect(failure.cause).toBeUndefined()
    expect(server.asked).toHaveLength(1)
  })

  it.each([408, 429, 500, 502, 503, 529])(
    'that answers %i is for another time, and not retried here',
    async (status) => {
      const server = await startModelServer((response) =>
        sendJson(
          response,
          status,
          { type: 'error', error: { type: 'overloaded_error', message: 'later' } },
          { 'retry-after': '7' },
        ),
      )
      const failure = await failureOf(
        askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }),
      )
      expect(failure).toMatchObject({ type: 'Agent.Unavailable', retryAfterMs: 7000 })
      expect(failure.details).toMatchObject({ usage: { input_tokens: 0, output_tokens: 0 } })
      expect(server.asked).toHaveLength(1)
    },
  )

  it('that says when to come back as a date is asked then', async () => {
    const server = await startModelServer((response) =>
      sendJson(
        response,
        429,
        { error: { message: 'slow' } },
        { 'retry-after': new Date(Date.now() + 60_000).toUTCString() },
      ),
    )
    const failure = await failureOf(askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure.type).toBe('Agent.Unavailable')
    expect(failure.retryAfterMs).toBeGreaterThan(50_000)
    expect(failure.retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  it('whose bill is unpaid is not asked again, though it says 429', async () => {
    const server = await startModelServer((response) =>
      sendJson(response, 429, { error: { message: 'quota', type: 'insufficient_quota', code: 'insufficient_quota' } }),
    )
    const failure = await failureOf(askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure.type).toBe('Agent.Rejected')
  })

  it('whose connection is cut in the middle is for another time', async () => {
    const server = await startModelServer((response) => {
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
      response.write(stream ? 'data: {"id"' : '{"id":"c1","choi')
      setTimeout(() => response.destroy(), 20)
    })
    const failure = await failureOf(askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure.type).toBe('Agent.Unavailable')
  })

  it.each(['<html>Welcome</html>', '{"hello":1}', ''])('that talks nonsense, %j, is for another time', async (body) => {
    const server = await startModelServer((response) =>
      response
        .writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        .end(stream ? `data: ${body}\n\n` : body),
    )
    const failure = await failureOf(askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure.type).toBe('Agent.Unavailable')
  })

  it('that leads elsewhere is not followed with the key', async () => {
    const elsewhere = await startModelServer({ text: 'stolen' })
    const server = await startModelServer((response) =>
      response.writeHead(307, { location: `${elsewhere.url}${path.slice(3)}` }).end(),
    )
    const failure = await failureOf(askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure).toMatchObject({ type: 'Agent.Rejected', message: expect.stringContaining('HTTP 307') })
    expect(elsewhere.asked).toEqual([])
  })

  it.each(['{"good":"ye', 'I would rather not.', ''])(
    'hands on what it said, %j, for the parser to judge',
    async (text) => {
      const server = await startModelServer({ text })
      const answer = await askModel({ provider, stream, base_url: server.url }, { box: boxIn(freshFolder()) })
      expect(answer.answer).toEqual({ text })
    },
  )

  it('may answer with two megabytes, but not with more', async () => {
    const whole = JSON.stringify({ good: 'x'.repeat(2 * 1024 ** 2 - 11) })
    const server = await startModelServer({ text: whole }, { text: `${whole} ` })
    const definition = { provider, stream, base_url: server.url }
    const answer = await askModel(definition, { box: boxIn(freshFolder()) })
    expect(answer.answer).toEqual({ text: whole })
    const failure = await failureOf(askModel(definition, { box: boxIn(freshFolder()) }))
    expect(failure).toMatchObject({
      type: 'Agent.InvalidAnswer',
      message: 'expected an answer of at most 2097152 bytes',
    })
    expect(failure.details['complaints']).toEqual([failure.message])
  })

  it('is left alone as soon as nobody wants its answer any more', async () => {
    const stop = new AbortController()
    let isCut: (value: boolean) => void = () => {}
    const cut = new Promise<boolean>((resolve) => (isCut = resolve))
    const server = await startModelServer((response) => {
      response.on('close', () => isCut(true))
      setTimeout(() => stop.abort(new Error('somebody said stop')), 20)
    })
    const box = boxIn(freshFolder(), { signal: stop.signal })
    await expect(askModel({ provider, stream, base_url: server.url }, { box })).rejects.toThrow('somebody said stop')
    expect(await cut).toBe(true)
  })
})

describe('a model', () => {
  it('that breaks off cleanly half way, as a proxy would, is for another time', async () => {
    const server = await startModelServer({ text: '{"good":"ye', finish: null })
    const failure = await failureOf(askModel({ base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure.type).toBe('Agent.Unavailable')
  })

  it('that is not done when its time is over took too long, whether it was talking or silent', async () => {
    const silent = await startModelServer(() => {})
    const talking = await startModelServer((response) => {
      const delta = { id: 'c', choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }] }
      sendEvents(response, [delta], false)
    })
    for (const { url } of [silent, talking]) {
      const box = boxIn(freshFolder(), { signal: AbortSignal.timeout(100), limitMs: 100 })
      expect(await failureOf(askModel({ base_url: url }, { box }))).toMatchObject({ type: 'Tool.TimedOut' })
    }
  })

  it('whose server is not there is for another time', async () => {
    const failure = await failureOf(askModel({ base_url: 'http://127.0.0.1:9/v1' }, { box: boxIn(freshFolder()) }))
    expect(failure.type).toBe('Agent.Unavailable')
  })

  it.each([
    ['overloaded_error', 'Agent.Unavailable'],
    ['rate_limit_exceeded', 'Agent.Unavailable'],
    ['server_error', 'Agent.Unavailable'],
    ['context_length_exceeded', 'Agent.Rejected'],
    ['invalid_request_error', 'Agent.Rejected'],
  ])('that sends %s in the middle of its stream: %s', async (code, type) => {
    const server = await startModelServer((response) =>
      sendEvents(response, [
        { id: 'c', choices: [{ index: 0, delta: { content: 'x' }, finish_reason: null }] },
        { error: { message: `broke ${secretKey}`, type: code, code } },
      ]),
    )
    const failure = await failureOf(askModel({ base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure).toMatchObject({ type, message: expect.stringContaining('broke [key]') })
  })

  it('that refuses for its own reasons is not asked again', async () => {
    const server = await startModelServer({ text: 'I must not.', finish: 'content_filter' })
    const failure = await failureOf(askModel({ base_url: server.url }, { box: boxIn(freshFolder()) }))
    expect(failure).toMatchObject({ type: 'Agent.Rejected', message: expect.stringContaining('I must not.') })
    expect(failure.details).toMatchObject({ usage: { input_tokens: 100, output_tokens: 20 } })
  })

  it('that floods its stream with what is no answer is cut off', async () => {
    const server = await startModelServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const go = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', go)
      }
      go()
    })
    const failure = await failureOf(askModel({ base_url: server.url, stream: false }, { box: boxIn(freshFolder()) }))
    expect(failure).toMatchObject({ type: 'Agent.InvalidAnswer', message: expect.stringContaining('16777216 bytes') })
  })

  it('needs no key where the server wants none, and says which variable is missing where it does', async () => {
    const server = await startModelServer({ text: '{"good":"yes"}' })
    const box = boxIn(freshFolder())
    const local = {
      kind: 'model',
      provider: 'openai-compatible',
      model: 'm',
      base_url: server.url,
      stream: true,
    } as const
    expect((await openModel(local, setupOf({})).ask(requestOf(), box)).answer).toEqual({ text: '{"good":"yes"}' })
    expect(server.asked[0]?.headers['authorization']).toBeUndefined()
    for (const [agent, variable] of [
      [{ ...local, key_env: 'MY_KEY' }, 'MY_KEY'],
      [{ kind: 'model', model: 'anthropic/claude' }, 'ANTHROPIC_API_KEY'],
      [{ kind: 'model', model: 'openai/gpt' }, 'OPENAI_API_KEY'],
    ] as const)
      expect(await failureOf(openModel(agent, setupOf({})).ask(requestOf(), box))).toMatchObject({
        type: 'Agent.Rejected',
        message: expect.stringContaining(`set ${variable} in the environment of the worker`),
      })
  })

  it('named without a definition is the vendor’s, at the address of the environment', async () => {
    const server = await startModelServer({ text: '{"good":"yes"}' })
    const ownEnv = { ...env, ANTHROPIC_BASE_URL: server.url }
    const ask = (model: string) =>
      openModel({ kind: 'model', model }, setupOf(ownEnv)).ask(requestOf(), boxIn(freshFolder()))
    expect((await ask('anthropic/claude-x')).usage.cost).toBeNull()
    expect(server.asked[0]?.body['model']).toBe('claude-x')
    for (const model of ['mistral/x', 'anthropic', 'anthropic/', 'openai-compatible/x'])
      expect(await failureOf(ask(model))).toMatchObject({ type: 'Agent.Rejected' })
  })
})
