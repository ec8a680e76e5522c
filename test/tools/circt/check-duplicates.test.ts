import { afterEach, describe, expect, it } from 'vitest'
import { DuplicatesFile } from '../../../src/contracts/circt-files.js'
import type { AnalysisFile } from '../../../src/contracts/circt-files.js'
import { DuplicatesResult } from '../../../src/contracts/circt.js'
import { checkDuplicates } from '../../../src/tools/circt/check-duplicates.js'
import { createGitHubClient } from '../../../src/tools/github/github-client.js'
import { gitHubConfig } from '../../../src/tools/github/github-config.js'
import { anAnalysis, anIssue } from '../../support/circt-analysis.js'
import { gitHubServer, type Reply } from '../../support/github-server.js'
import { memoryStore } from '../../support/memory-store.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const analysis = anAnalysis({
  dialect: 'calyx',
  failing_pass: 'SCFToCalyxPass',
  frames: ['circt::scftocalyx::BuildControl::buildCFGControl(int)'],
})
const twin = anIssue(7, { title: 'SCFToCalyx dies in buildCFGControl', body: 'buildCFGControl', labels: ['Calyx'] })
const now = () => new Date('2026-01-28T14:00:00Z')

async function aCase(file: AnalysisFile | string, snapshot?: string) {
  const store = memoryStore()
  const text = typeof file === 'string' ? file : JSON.stringify(file)
  const artifacts = [await store.put('analysis.json', text, 'application/json')]
  const issues = snapshot === undefined ? null : await store.put('issues.json', snapshot, 'application/json')
  const box = { store, signal: new AbortController().signal, heartbeat: () => {} }
  const result = {
    degraded: false,
    dialect: null,
    failing_pass: null,
    crash_type: 'crash',
    keywords: [],
    note: '',
    artifacts,
  }
  return { box, order: { run_id: 'r', analysis: result, issues, repo: 'llvm/circt' } }
}

async function fileOf(result: DuplicatesResult, store: ReturnType<typeof memoryStore>): Promise<DuplicatesFile> {
  const artifact = result.artifacts.find(({ name }) => name === 'duplicates.json')
  if (artifact === undefined) throw new Error('no duplicates.json')
  return DuplicatesFile.parse(JSON.parse((await store.get(artifact)).toString('utf8')))
}

describe('against a snapshot', () => {
  it('finds the twin and writes both files', async () => {
    const { order, box } = await aCase(analysis, JSON.stringify([anIssue(8, { title: 'other' }), twin]))
    const result = DuplicatesResult.parse(await checkDuplicates(order, box, { now }))
    expect(result).toMatchObject({
      action: 'review_existing',
      top_issue: { number: 7 },
      is_corroborated: true,
      similar_count: 1,
    })
    expect(result.artifacts.map(({ name }) => name)).toEqual(['duplicates.json', 'duplicates.md'])
    const file = await fileOf(result, box.store)
    expect(file.timestamp).toBe('2026-01-28T14:00:00.000Z')
    expect(file.results.top_score).toBe(result.top_score)
    expect(file.search_terms).toMatchObject({ failing_pass: 'SCFToCalyxPass', dialect: 'calyx' })
  })

  it('names the entries it could not read', async () => {
    const { order, box } = await aCase(analysis, JSON.stringify([{ number: 5 }, twin]))
    const result = await checkDuplicates(order, box, { now })
    expect(result.note).toMatch(/1 broken entries left out \(entry 0 \(#5\)/)
  })

  it('a snapshot without a readable issue is unknown, a broken one is refused', async () => {
    const empty = await aCase(analysis, '[]')
    expect(await checkDuplicates(empty.order, empty.box)).toMatchObject({ action: 'unknown', top_issue: null })
    const broken = await aCase(analysis, '{')
    await expect(checkDuplicates(broken.order, broken.box)).rejects.toMatchObject({ type: 'Contract.Violated' })
  })

  it('is unknown without an analysis, and still writes its files', async () => {
    const { order, box } = await aCase(analysis, JSON.stringify([twin]))
    const result = await checkDuplicates({ ...order, analysis: null }, box)
    expect(result).toMatchObject({ action: 'unknown', note: 'there is no analysis to search with' })
    expect((await fileOf(result, box.store)).recommendation.action).toBe('unknown')
  })

  it('refuses an analysis that does not fit its contract', async () => {
    const { order, box } = await aCase('{"version": "1.0"}', '[]')
    await expect(checkDuplicates(order, box)).rejects.toMatchObject({ type: 'Contract.Violated' })
  })
})

describe('against GitHub', () => {
  async function search(replies: Reply[], file = analysis) {
    const replyTo = [...replies]
    const server = await gitHubServer(() => replyTo.shift() ?? { body: { incomplete_results: false, items: [] } })
    closers.push(server.close)
    const { order, box } = await aCase(file)
    const github = () => createGitHubClient({ ...gitHubConfig({ GITHUB_API_URL: server.base }), isPaced: false })
    const result = checkDuplicates(order, box, { github, now })
    return { result, asked: server.asked, store: box.store }
  }
  const found = (...items: unknown[]): Reply => ({ body: { incomplete_results: false, items } })

  it('asks once per phrase, in the repository, and counts an issue once', async () => {
    const { result, asked } = await search([found(twin, anIssue(8)), found(twin)])
    expect(await result).toMatchObject({ action: 'review_existing', top_issue: { number: 7 } })
    expect(asked.map(({ query }) => query.get('q'))).toEqual([
      'repo:llvm/circt is:issue "SCFToCalyx"',
      'repo:llvm/circt is:issue "buildCFGControl"',
    ])
  })

  it('says new when GitHub answers that there is nothing', async () => {
    const { result } = await search([])
    expect(await result).toMatchObject({ action: 'new_issue', top_score: 0, top_issue: null })
  })

  it('is unknown, never new, when GitHub is out of reach, before or midway', async () => {
    for (const replies of [[{ drops: true }], [found(anIssue(8)), { status: 503 }]]) {
      const { result, store } = await search(replies)
      expect(await result).toMatchObject({ action: 'unknown', note: expect.stringMatching(/could not run/) })
      expect((await fileOf(await result, store)).recommendation.action).toBe('unknown')
    }
  })

  it('is unknown when GitHub searched only in part and nothing was found', async () => {
    const { result } = await search([{ body: { incomplete_results: true, items: [] } }])
    expect((await result).action).toBe('unknown')
  })

  it('is unknown when there is nothing to search for', async () => {
    const { result, asked } = await search([], anAnalysis())
    expect((await result).action).toBe('unknown')
    expect(asked).toEqual([])
  })

  it('passes rate limits and refusals on as failures', async () => {
    const limited = await search([{ status: 429, headers: { 'retry-after': '9' } }])
    await expect(limited.result).rejects.toMatchObject({ type: 'GitHub.Limited', retryAfterMs: 9000 })
    const denied = await search([{ status: 401, body: { message: 'Bad credentials' } }])
    await expect(denied.result).rejects.toMatchObject({ type: 'GitHub.Denied' })
  })
})
