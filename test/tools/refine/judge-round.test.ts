import { describe, expect, it } from 'vitest'
import { RoundJudgement, type JudgeOrder } from '../../../src/contracts/refine.js'
import { PRESETS } from '../../../src/rules/aggregate-settings.js'
import { commitWorktree } from '../../../src/tools/git/commit-worktree.js'
import { publishRef } from '../../../src/tools/git/publish-ref.js'
import { judgeRound } from '../../../src/tools/refine/judge-round.js'
import { keepBranch } from '../../../src/tools/refine/keep-branch.js'
import { lookAtRepository } from '../../../src/tools/refine/look-at-repository.js'
import { measureChange } from '../../../src/tools/refine/measure-change.js'
import { anAttempt, aRun, freshFolder, git, put, stamp } from '../../support/git-repository.js'
import { memoryStore } from '../../support/memory-store.js'

const store = memoryStore()
const issue = (parts: object) => ({
  severity: 'Critical',
  type: 'SQLI',
  file: 'src/db.py',
  line: 2,
  description: 'd',
  suggestion: 's',
  ...parts,
})
const answer = async (issues: object[], score = 75) =>
  store.put(
    'answer.json',
    JSON.stringify({ passed: false, score, issues, summary: {}, recommendations: [] }),
    'application/json',
  )

const stack = {
  language: 'Python',
  language_version: null,
  framework: null,
  framework_version: null,
  build_tool: null,
  test_framework: null,
  code_style: null,
  constraints: [],
  project_type: 'single' as const,
}

describe('the tools of the refine loop', () => {
  it('judge a round on its own commit, and keep what the next one needs', async () => {
    const run = await aRun({ 'src/db.py': 'x\n  run(sql + name)\n', 'link.py': { link: '/etc/passwd' } })
    const box = { git: run.git, store, scratch: freshFolder() }
    const order: JudgeOrder = {
      run_id: 'r',
      round: 1,
      repository: run.repository,
      commit: run.base,
      tech_stack: stack,
      reviews: {
        security: await answer(
          [issue({}), issue({ line: 99 }), issue({ file: 'link.py' }), issue({ file: '../../x' })],
          0,
        ),
        quality: await answer([], 90),
        performance: await answer([], 90),
      },
      previous_scores: [],
      ...PRESETS.standard,
      lang: 'en',
    }
    const judged = RoundJudgement.parse(await judgeRound(order, box))
    expect(judged).toMatchObject({
      scores: { security: 75, quality: 90, performance: 90 },
      overall: 84,
      recommendation: 'ITERATE',
      issue_counts: { critical: 1 },
      refuted: 3,
      criticals: [{ type: 'SQLI', file: 'src/db.py', line: 2, digest: expect.stringMatching(/^[0-9a-f]{16}$/) }],
    })
    const feedback = (await store.get(judged.feedback)).toString()
    expect(feedback).toMatch(/^## Issues to fix\n\n### Critical \(must fix\)\n1\. \*\*SQLI\*\* - src\/db\.py:2\n/)
    const whole = JSON.parse((await store.get(judged.aggregate)).toString())
    expect(whole).toMatchObject({ exact: { overall: 84 }, refuted: [{ why: 'the file has no such line' }, {}, {}] })
  })

  it('refuse a round without one of its reviews', async () => {
    const run = await aRun({ a: 'b' })
    const order = {
      run_id: 'r',
      round: 1,
      repository: run.repository,
      commit: run.base,
      tech_stack: stack,
      previous_scores: [],
      lang: 'en' as const,
    }
    const reviews = { security: await answer([]), quality: await answer([]) } as JudgeOrder['reviews']
    const judged = judgeRound(
      { ...order, ...PRESETS.standard, reviews },
      { git: run.git, store, scratch: freshFolder() },
    )
    await expect(judged).rejects.toThrow('reviews: expected one of performance, got none')
  })

  it('say which files are to be judged, and keep the branch of the best round', async () => {
    const run = await aRun({
      'a.py': 'a\n',
      'gone.py': 'b\n',
      'pyproject.toml': 'requires-python = ">=3.12"\n[x]\ndeps = ["fastapi"]',
    })
    const attempt = await anAttempt(run)
    put(attempt.folder, { 'a.py': 'a\nmore\n', 'new.py': 'n\n', 'gone.py': null })
    const commit = await commitOf(attempt)
    const box = { git: run.git, store, scratch: freshFolder() }
    const change = await measureChange(
      { run_id: 'r', round: 2, repository: run.repository, from: run.base, to: commit },
      box,
    )
    expect(change).toMatchObject({ changed_files: 3, files: 2, paths: ['a.py', 'new.py'] })
    expect(JSON.parse((await store.get(change.scope)).toString())).toEqual({
      files: ['a.py', 'new.py'],
      deleted: 1,
      left_out: 0,
    })
    expect((await store.get(change.diff)).toString()).toContain('+more')
    const order = { run_id: 'r', repository: run.repository, commit }
    const { branch } = await keepBranch(order, box)
    expect(await keepBranch(order, box)).toEqual({ branch })
    expect(git(run.repository.url, 'rev-parse', branch)).toBe(commit)
    expect(await lookAtRepository({ run_id: 'r', repository: run.repository, commit }, box)).toMatchObject({
      tech_stack: { language: 'Python', framework: 'FastAPI', language_version: '>=3.12' },
    })
    expect(await lookAtRepository({ run_id: 'r', repository: run.repository, commit: run.base }, box)).not.toEqual({
      tech_stack: null,
    })
  })
})

async function commitOf(attempt: Awaited<ReturnType<typeof anAttempt>>): Promise<string> {
  const result = await commitWorktree({ worktree: attempt, message: 'm', stamp })
  if (result.status !== 'committed') throw new Error(result.status)
  await publishRef({ mirror: attempt.mirror, ref: 'refs/gauntlet/r/w/1', commit: result.commit })
  return result.commit
}
