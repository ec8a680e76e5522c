import { afterEach, describe, expect, it } from 'vitest'
import { createGitHubClient } from '../../../src/tools/github/github-client.js'
import { gitHubConfig } from '../../../src/tools/github/github-config.js'
import { isUnreachable } from '../../../src/tools/github/github-failures.js'
import { anIssue } from '../../support/circt-analysis.js'
import { type Asked, gitHubServer, type Reply } from '../../support/github-server.js'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function serve(reply: (asked: Asked, base: string) => Reply, config: Record<string, unknown> = {}) {
  const server = await gitHubServer(reply)
  open.push(server)
  const plain = gitHubConfig({ GITHUB_API_URL: `${server.base}/`, GITHUB_TOKEN: 'secret' })
  return { ...server, client: createGitHubClient({ ...plain, isPaced: false, ...config }) }
}

const page = (...items: unknown[]): Reply => ({ body: { total_count: items.length, incomplete_results: false, items } })

describe('a search', () => {
  it('asks for ten issues with the token and leaves out pull requests and repetitions', async () => {
    const { client, asked } = await serve(() =>
      page(
        anIssue(1),
        anIssue(1),
        anIssue(2, { pull_request: { url: 'x' } }),
        anIssue(3, { html_url: 'https://h/o/r/pull/3' }),
      ),
    )
    const answer = await client.searchIssues('repo:llvm/circt is:issue "x"')
    expect(answer.issues.map(({ number }) => number)).toEqual([1])
    expect(answer).toMatchObject({ isIncomplete: false, skipped: [] })
    expect(asked[0]).toMatchObject({ method: 'GET', path: '/search/issues' })
    expect(Object.fromEntries(asked[0]?.query ?? [])).toEqual({ q: 'repo:llvm/circt is:issue "x"', per_page: '10' })
    expect(asked[0]?.headers.authorization).toBe('token secret')
  })

  it('names a broken entry and keeps the rest', async () => {
    const { client } = await serve(() => page({ number: 9, title: 5 }, anIssue(4)))
    const answer = await client.searchIssues('x')
    expect(answer.issues.map(({ number }) => number)).toEqual([4])
    expect(answer.skipped).toEqual([expect.stringMatching(/^entry 0 \(#9\): title: /)])
  })

  it('says when GitHub searched only in part', async () => {
    const { client } = await serve(() => ({ body: { total_count: 0, incomplete_results: true, items: [] } }))
    expect((await client.searchIssues('x')).isIncomplete).toBe(true)
  })

  it('keeps a pace of one search in two seconds', async () => {
    const { client } = await serve(() => page(), { isPaced: true })
    const started = Date.now()
    await client.searchIssues('a')
    await client.searchIssues('b')
    expect(Date.now() - started).toBeGreaterThan(1900)
  })
})

describe('a rate limit', () => {
  const inFiveMinutes = () => String(Math.ceil(Date.now() / 1000) + 300)

  it.each([
    ['429 with retry-after', () => ({ status: 429, headers: { 'retry-after': '17' } }), 17_000, 17_000],
    ['403 with retry-after', () => ({ status: 403, headers: { 'retry-after': '60' } }), 60_000, 60_000],
    [
      '403 with nothing remaining',
      () => ({ status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inFiveMinutes() } }),
      299_000,
      302_000,
    ],
    [
      'the secondary limit in words',
      () => ({ status: 403, body: { message: 'You have exceeded a secondary rate limit.' } }),
      60_000,
      60_000,
    ],
    ['a reset long past', () => ({ status: 429, headers: { 'x-ratelimit-reset': '1' } }), 1000, 1000],
    ['an absurd delay', () => ({ status: 429, headers: { 'retry-after': '9999999' } }), 3_600_000, 3_600_000],
  ])('%s is GitHub.Limited with its delay, at once, asked only once', async (_, reply, least, most) => {
    for (const isPaced of least === 17_000 ? [false, true] : [false]) {
      const { client, asked } = await serve(reply, { isPaced })
      const started = Date.now()
      const error = await client.searchIssues('x').catch((caught: unknown) => caught)
      expect(error).toMatchObject({ type: 'GitHub.Limited' })
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThanOrEqual(least)
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeLessThanOrEqual(most)
      expect(asked).toHaveLength(1)
      expect(Date.now() - started).toBeLessThan(4000)
    }
  })
})

describe('a refusal', () => {
  it.each([401, 403, 404, 410, 422])('%d is GitHub.Denied and names the status', async (status) => {
    const { client, asked } = await serve(() => ({ status, body: { message: 'no such thing' } }))
    await expect(client.searchIssues('x')).rejects.toMatchObject({
      type: 'GitHub.Denied',
      message: expect.stringMatching(new RegExp(`${status}: no such thing`)),
      details: { status },
    })
    expect(asked).toHaveLength(1)
  })
})

describe('out of reach', () => {
  it.each([
    ['a 503', () => ({ status: 503, body: { message: 'unicorn' } })],
    ['a lost connection', () => ({ drops: true })],
    ['silence', () => ({ hangs: true })],
    ['a page of somebody else', () => ({ body: '<html>sign in</html>' })],
  ])('%s is told apart from a refusal', async (_, reply) => {
    const { client, asked } = await serve(reply, { timeoutMs: 300 })
    const error = await client.searchIssues('x').catch((caught: unknown) => caught)
    expect(isUnreachable(error)).toBe(true)
    expect(asked).toHaveLength(1)
  })

  it('no server at all', async () => {
    const { client, close } = await serve(() => page())
    await close()
    const error = await client.searchIssues('x').catch((caught: unknown) => caught)
    expect(isUnreachable(error)).toBe(true)
  })

  it('a cancel ends the call at once, with its own reason', async () => {
    const { client } = await serve(() => ({ hangs: true }))
    const cancel = new AbortController()
    setTimeout(() => cancel.abort(new Error('stopped by a person')), 50)
    await expect(client.searchIssues('x', cancel.signal)).rejects.toThrow('stopped by a person')
  })

  it('a read is tried again when retries are asked for, a new issue never', async () => {
    let count = 0
    const reply = () => (++count % 2 === 1 ? { status: 502, body: { message: 'bad gateway' } } : page(anIssue(1)))
    const { client, asked } = await serve(reply, { retries: 1 })
    expect((await client.searchIssues('x')).issues).toHaveLength(1)
    await expect(client.createIssue('o/r', { title: 't', body: 'b', labels: [] })).rejects.toMatchObject({
      type: 'Tool.Failed',
    })
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST'])
  })
})

describe('the newest issues', () => {
  it('follows the links between pages up to its limit', async () => {
    const { client, asked } = await serve((one, base) => {
      const at = Number(one.query.get('page') ?? 1)
      const next = `<${base}/repos/o/r/issues?per_page=100&page=${at + 1}>; rel="next"`
      return { headers: { link: next }, body: Array.from({ length: 100 }, (_, n) => anIssue(at * 1000 + n)) }
    })
    const issues = await client.newestIssues('o/r', 300)
    expect(issues).toHaveLength(300)
    expect(asked).toHaveLength(3)
    expect(Object.fromEntries(asked[0]?.query ?? [])).toEqual({
      state: 'all',
      sort: 'created',
      direction: 'desc',
      per_page: '100',
    })
  })

  it('ends with the last page', async () => {
    const { client, asked } = await serve(() => ({ body: [anIssue(1)] }))
    expect(await client.newestIssues('o/r', 300)).toHaveLength(1)
    expect(asked).toHaveLength(1)
  })
})

describe('the configuration', () => {
  it.each(['ftp://x', 'not an address', 'file:///etc/passwd'])('refuses %s by name', (url) => {
    expect(() => gitHubConfig({ GITHUB_API_URL: url })).toThrow(/GITHUB_API_URL: expected an http or https address/)
  })

  it('is public GitHub without a token when nothing is set', () => {
    expect(gitHubConfig({ GITHUB_TOKEN: '' })).toMatchObject({
      baseUrl: 'https://api.github.com',
      token: null,
      retries: 0,
    })
  })
})
