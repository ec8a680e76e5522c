import { afterEach, describe, expect, it } from 'vitest'
import { submitIssue } from '../../../src/tools/circt/submit-issue.js'
import { createGitHubClient } from '../../../src/tools/github/github-client.js'
import { gitHubConfig } from '../../../src/tools/github/github-config.js'
import { anIssue } from '../../support/circt-analysis.js'
import { gitHubServer, type Reply } from '../../support/github-server.js'

const issueMarkdown = '# [Comb] Crash\n\nLabels: `Comb`, `crash`\n\n## Description\n\nIt crashes.\n'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A GitHub with one repository; its search learns of nothing, as it does in the first minutes. */
async function aRepository({ knowsBySearch = false, failsAfterPosting = false } = {}) {
  const issues: ReturnType<typeof anIssue>[] = []
  const server = await gitHubServer(({ method, path, body }): Reply => {
    if (path === '/search/issues') return { body: { incomplete_results: false, items: knowsBySearch ? issues : [] } }
    if (method === 'GET') return { body: knowsBySearch ? [] : issues.toReversed() }
    const { title, body: text } = body as { title: string; body: string }
    const issue = anIssue(issues.length + 41, { title, body: text })
    issues.push(issue)
    return failsAfterPosting && issues.length === 1 ? { drops: true } : { status: 201, body: issue }
  })
  closers.push(server.close)
  const config = gitHubConfig({ GITHUB_API_URL: server.base, GITHUB_TOKEN: 'secret' })
  const client = createGitHubClient({ ...config, isPaced: false })
  const posts = () => server.asked.filter(({ method }) => method === 'POST')
  return { client, posts, asked: server.asked, order: { issueMarkdown, repo: 'o/r', runId: 'circt/ann-case', client } }
}

describe('a submission', () => {
  it('in a dry run says what would be sent and sends nothing', async () => {
    const { order, asked } = await aRepository()
    const result = await submitIssue({ ...order, dryRun: true })
    expect(result).toMatchObject({
      status: 'dry_run',
      request: {
        method: 'POST',
        path: '/repos/o/r/issues',
        body: { title: '[Comb] Crash', labels: ['Comb', 'crash'] },
      },
    })
    expect(asked).toEqual([])
  })

  it('posts exactly what the dry run showed, without the name of the run', async () => {
    const { order, posts } = await aRepository()
    const shown = await submitIssue({ ...order, dryRun: true })
    expect(await submitIssue({ ...order, dryRun: false })).toMatchObject({ status: 'posted', number: 41 })
    expect(posts()).toMatchObject([
      { path: '/repos/o/r/issues', body: shown.status === 'dry_run' ? shown.request.body : null },
    ])
    expect(JSON.stringify(posts())).toMatch(/## Description.*<!-- gauntlet-run-[0-9a-f]{32} -->/)
    expect(JSON.stringify(posts())).not.toContain('ann-case')
  })

  it.each([{ knowsBySearch: false }, { knowsBySearch: true }])('twice adopts the first issue: %j', async (kind) => {
    const { order, posts } = await aRepository(kind)
    await submitIssue({ ...order, dryRun: false })
    expect(await submitIssue({ ...order, dryRun: false })).toMatchObject({ status: 'adopted', number: 41 })
    expect(posts()).toHaveLength(1)
  })

  it('whose answer was lost is adopted by the next try', async () => {
    const { order, posts } = await aRepository({ failsAfterPosting: true })
    await expect(submitIssue({ ...order, dryRun: false })).rejects.toMatchObject({ type: 'Tool.Failed' })
    expect(await submitIssue({ ...order, dryRun: false })).toMatchObject({ status: 'adopted', number: 41 })
    expect(posts()).toHaveLength(1)
  })

  it('of another run is another issue', async () => {
    const { order, posts } = await aRepository()
    await submitIssue({ ...order, dryRun: false })
    expect(await submitIssue({ ...order, runId: 'circt/other', dryRun: false })).toMatchObject({
      status: 'posted',
      number: 42,
    })
    expect(posts()).toHaveLength(2)
  })

  it.each([
    ['text without a title', 'just text', /expected "# title"/],
    ['a title without text', '# title\n', /expected "# title"/],
    ['a body that GitHub would refuse', `# t\n\n${'x'.repeat(65_536)}`, /at most 65536 characters/],
  ])('refuses %s before anything is sent', async (_, markdown, message) => {
    const { order, asked } = await aRepository()
    const submission = submitIssue({ ...order, issueMarkdown: markdown, dryRun: false })
    await expect(submission).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(message),
    })
    expect(asked).toEqual([])
  })
})
