import { mkdirSync, utimesSync, writeFileSync, existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { attemptRef, branchRef } from '../../../src/rules/git/ref-names.js'
import { commitWorktree } from '../../../src/tools/git/commit-worktree.js'
import { mergeCommits, type MergeResult } from '../../../src/tools/git/merge-commits.js'
import { ensureCommit, listRefs, type Mirror, openMirror } from '../../../src/tools/git/mirror.js'
import { lookupRef, moveBranch, publishRef } from '../../../src/tools/git/publish-ref.js'
import { changedFiles } from '../../../src/tools/git/read-diff.js'
import { createRunRepository, removeRunRepository } from '../../../src/tools/git/run-repository.js'
import { type GitServer, gitHttpServer } from '../../support/git-http-server.js'
import {
  aGit,
  anAttempt,
  aRepository,
  aRun,
  type Files,
  freshFolder,
  git,
  put,
  type Run,
  stamp,
} from '../../support/git-repository.js'

async function committed(run: Run, files: Files, from = run.base): Promise<string> {
  const worktree = await anAttempt(run, from)
  put(worktree.folder, files)
  const result = await commitWorktree({ worktree, message: Object.keys(files).join(' '), stamp })
  if (result.status !== 'committed') throw new Error(JSON.stringify(result))
  return result.commit
}

/** Another worker: a state home of its own, the same run repository. */
async function anotherWorker(run: Run): Promise<Mirror> {
  return await openMirror(await aGit(), run.repository)
}

const ref = attemptRef({ run: 'r1', step: 'TASK-001.develop', round: 1 })

describe('a result is published', () => {
  it('once: whoever comes later adopts it, over the run repository alone', async () => {
    const run = await aRun({ a: 'a' })
    const [first, second] = [await committed(run, { b: 'first' }), await committed(run, { b: 'second' })]
    expect(await publishRef({ mirror: run.mirror, ref, commit: first })).toEqual({ commit: first, isOurs: true })
    expect(await publishRef({ mirror: run.mirror, ref, commit: second })).toEqual({ commit: first, isOurs: false })
    expect(await publishRef({ mirror: run.mirror, ref, commit: first })).toEqual({ commit: first, isOurs: true })
    const other = await anotherWorker(run)
    expect(await lookupRef(other.git, other.repository, ref)).toBe(first)
    const { changes } = await changedFiles(other, run.base, first)
    expect(changes).toEqual([{ action: 'create', path: 'b', lines_added: 1, lines_deleted: 0 }])
  })

  it('by one of many at once, and all get the same', async () => {
    const run = await aRun({ a: 'a' })
    const mirrors = [run.mirror, await anotherWorker(run)]
    const published = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const mirror = mirrors[at % 2] ?? run.mirror
        const commit = await committed({ ...run, mirror }, { b: `by ${at}` })
        return await publishRef({ mirror, ref, commit })
      }),
    )
    expect(new Set(published.map(({ commit }) => commit)).size).toBe(1)
    expect(published.filter(({ isOurs }) => isOurs)).toHaveLength(1)
    for (const mirror of mirrors) await ensureCommit(mirror, published[0]?.commit ?? '')
  })

  it('though a killed git left its lock', async () => {
    const run = await aRun({ a: 'a' })
    const lock = join(run.repository.url, `${ref}.lock`)
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, '')
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000))
    expect(await publishRef({ mirror: run.mirror, ref, commit: run.base })).toMatchObject({ isOurs: true })
    expect(existsSync(lock)).toBe(false)
  })

  it('nowhere when the run repository is gone', async () => {
    const run = await aRun({ a: 'a' })
    renameSync(run.repository.url, `${run.repository.url}.away`)
    const failure = { type: 'Tool.Failed', message: 'the run repository is not there' }
    await expect(publishRef({ mirror: run.mirror, ref, commit: run.base })).rejects.toMatchObject(failure)
    await expect(ensureCommit(run.mirror, 'f'.repeat(40))).rejects.toMatchObject(failure)
  })

  it('not for a name whose other half is taken', async () => {
    const run = await aRun({ a: 'a' })
    await publishRef({ mirror: run.mirror, ref, commit: run.base })
    const publishing = publishRef({ mirror: run.mirror, ref: `${ref}/deeper`, commit: run.base })
    await expect(publishing).rejects.toMatchObject({ type: 'Tool.Failed' })
  }, 60_000)
})

describe('a branch', () => {
  const branch = branchRef({ run: 'r1', name: 'result' })

  it('moves only from where it is said to be, again without harm', async () => {
    const run = await aRun({ a: 'a' })
    const { mirror, base } = run
    const [one, two] = [await committed(run, { b: '1' }), await committed(run, { b: '2' })]
    await moveBranch({ mirror, ref: branch, expect: null, to: base })
    for (let turn = 0; turn < 2; turn++) await moveBranch({ mirror, ref: branch, expect: base, to: one })
    const other = await anotherWorker(run)
    await ensureCommit(other, base)
    const late = { mirror: { ...run.mirror, git: other.git }, ref: branch, expect: base, to: two }
    await expect(moveBranch(late)).rejects.toMatchObject({
      type: 'Git.Conflict',
      message: `${branch}: expected ${base}, got ${one}`,
    })
    await expect(moveBranch({ ...late, expect: null })).rejects.toMatchObject({ type: 'Git.Conflict' })
    expect(await lookupRef(run.git, run.repository, branch)).toBe(one)
  })

  it('moved by two at once moves once', async () => {
    const run = await aRun({ a: 'a' })
    const { mirror, base } = run
    const commits = await Promise.all(['1', '2', '3'].map((b) => committed(run, { b })))
    await moveBranch({ mirror, ref: branch, expect: null, to: base })
    const moves = await Promise.allSettled(commits.map((to) => moveBranch({ mirror, ref: branch, expect: base, to })))
    const won = moves.flatMap(({ status }, at) => (status === 'fulfilled' ? [commits[at]] : []))
    expect(won).toEqual([await lookupRef(run.git, run.repository, branch)])
    for (const move of moves)
      if (move.status === 'rejected') expect(move.reason).toMatchObject({ type: 'Git.Conflict' })
  })
})

describe('two results', () => {
  const text = (first: string, last: string) => [first, ...Array.from({ length: 20 }, String), last, ''].join('\n')
  const merged = (run: Run, ours: string, theirs: string): Promise<MergeResult> =>
    mergeCommits({ mirror: run.mirror, ours, theirs, message: 'merge', stamp })

  it('are merged without a worktree, the same way every time and on every worker', async () => {
    const run = await aRun({ 'a.txt': text('a', 'z') })
    const ours = await committed(run, { 'a.txt': text('ours', 'z') })
    const theirs = await committed(run, { 'a.txt': text('a', 'theirs'), 'new.txt': 'n' })
    const one = await merged(run, ours, theirs)
    expect(await merged(run, ours, theirs)).toEqual(one)
    if (one.status !== 'merged') throw new Error('expected a merge')
    expect(git(run.mirror.folder, 'show', `${one.commit}:a.txt`)).toBe(text('ours', 'theirs').trim())
    expect(git(run.mirror.folder, 'log', '-1', '--format=%P', one.commit)).toBe(`${ours} ${theirs}`)
    for (const [step, commit] of [
      ['a', ours],
      ['b', theirs],
    ] as const)
      await publishRef({ mirror: run.mirror, ref: attemptRef({ run: 'r1', step, round: 0 }), commit })
    expect(await merged({ ...run, mirror: await anotherWorker(run) }, ours, theirs)).toEqual(one)
  })

  it('in conflict name the files', async () => {
    const run = await aRun({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c\nd': 'c\n' })
    const files = (word: string) => ({ 'a.txt': word, 'b.txt': null })
    const ours = await committed(run, files('ours\n'))
    const theirs = await committed(run, { 'a.txt': 'theirs\n', 'b.txt': 'changed\n' })
    expect(await merged(run, ours, theirs)).toEqual({ status: 'conflict', files: ['a.txt', 'b.txt'] })
  })

  it.each([
    ['the later one', 'base', 'later', 'later'],
    ['the later one, the other way round', 'later', 'base', 'later'],
    ['itself', 'later', 'later', 'later'],
  ] as const)('of which one contains the other are %s', async (_what, ours, theirs, expected) => {
    const run = await aRun({ a: 'a' })
    const commits = { base: run.base, later: await committed(run, { b: 'b' }) }
    expect(await merged(run, commits[ours], commits[theirs])).toEqual({ status: 'merged', commit: commits[expected] })
  })

  it('that have nothing in common are a failure', async () => {
    const run = await aRun({ a: 'a' })
    const stranger = aRepository({ b: 'b' })
    git(stranger, 'push', '--quiet', run.repository.url, 'HEAD:refs/heads/stranger')
    const merging = merged(run, run.base, git(stranger, 'rev-parse', 'HEAD'))
    await expect(merging).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringMatching(/unrelated histories/),
    })
  })
})

describe('a run repository behind HTTP', () => {
  const servers: GitServer[] = []
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  it('serves two workers that share nothing else', async () => {
    const folder = freshFolder()
    git(folder, 'init', '--quiet', '--bare', 'run.git')
    const server = await gitHttpServer(folder)
    servers.push(server)
    const into = { url: server.url('run.git') }
    const source = aRepository({ 'a.txt': 'a\n' })
    const [one, two] = [await aGit(), await aGit()]
    const { base } = await createRunRepository({ git: one, source: { url: source }, base: 'HEAD', run: 'r1', into })
    const [first, second] = [await openMirror(one, into), await openMirror(two, into)]
    const run = { source, git: two, repository: into, mirror: second, base }
    const commit = await committed(run, { 'b.txt': 'b\n' })
    expect(await publishRef({ mirror: second, ref, commit })).toEqual({ commit, isOurs: true })
    expect(await publishRef({ mirror: first, ref, commit: base })).toEqual({ commit, isOurs: false })
    const branch = branchRef({ run: 'r1', name: 'result' })
    await moveBranch({ mirror: first, ref: branch, expect: null, to: commit })
    const stale = moveBranch({ mirror: first, ref: branch, expect: base, to: base })
    await expect(stale).rejects.toMatchObject({ type: 'Git.Conflict' })
    await removeRunRepository(two, into, 'r1')
    expect(await listRefs(one, into, [])).toEqual([])
    expect(server.requests.some((line) => line.startsWith('POST /run.git/git-receive-pack'))).toBe(true)
  })

  it('that does not answer is a failure in one line', async () => {
    const opened = await aGit()
    const repository = { url: 'http://127.0.0.1:9/run.git' }
    await expect(openMirror(opened, repository)).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringMatching(/^git ls-remote ended with exit code 128: fatal: unable to access/),
    })
  })
})
