import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attemptRef, baseRef, branchRef } from '../../../src/rules/git/ref-names.js'
import { ownerMark } from '../../../src/tools/folder/owner-mark.js'
import { makeRepository } from '../../../src/tools/git/make-repository.js'
import { ensureCommit, listRefs, mirrorSuffix, openMirror } from '../../../src/tools/git/mirror.js'
import { publishRef } from '../../../src/tools/git/publish-ref.js'
import { listTree } from '../../../src/tools/git/read-commit.js'
import {
  createRunRepository,
  removeRunRepository,
  runRepositoryFolder,
  sweepRepositories,
} from '../../../src/tools/git/run-repository.js'
import { uncommittedChanges } from '../../../src/tools/git/uncommitted-changes.js'
import { listing } from '../../support/gates-listing.js'
import { aGit, aRepository, aRun, freshFolder, git, put, worktreesOf } from '../../support/git-repository.js'

/** What a repository's own configuration would run, if it were asked. */
function booby(source: string): string {
  const ran = join(freshFolder(), 'ran')
  const program = `${source}/.git/trap.sh`
  put(source, { '.git/trap.sh': { text: `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`, mode: 0o755 } })
  for (const hook of ['post-checkout', 'pre-push', 'reference-transaction', 'post-index-change', 'pre-commit'])
    put(source, { [`.git/hooks/${hook}`]: { text: `#!/bin/sh\necho ${hook} >> ${ran}\n`, mode: 0o755 } })
  for (const name of ['core.fsmonitor', 'filter.trap.clean', 'filter.trap.smudge', 'uploadpack.packObjectsHook'])
    git(source, 'config', name, program)
  git(source, 'config', 'core.pager', program)
  git(source, 'config', 'diff.external', program)
  return ran
}

describe('the repository of a run', () => {
  it('begins with a commit and its history; the source is not touched and nothing of it runs', async () => {
    const source = aRepository({ 'a.txt': 'a', '.gitattributes': '* filter=trap\n' })
    git(source, 'commit', '--quiet', '--allow-empty', '-m', 'second')
    put(source, { 'uncommitted.txt': 'mine', 'a.txt': 'changed' })
    const ran = booby(source)
    const before = listing(source)
    const opened = await aGit()
    const into = { url: runRepositoryFolder(opened, 'one') }
    const order = { git: opened, source: { url: source }, base: 'HEAD', run: 'r', into }
    const made = await createRunRepository(order)
    expect(made).toEqual({ repository: into, base: git(source, 'rev-parse', 'HEAD') })
    expect(git(into.url, 'log', '--format=%s', baseRef('r'))).toBe('second\nfirst')
    expect(git(into.url, 'for-each-ref', '--format=%(refname)')).toBe('refs/gauntlet/r/base/0')
    expect(await uncommittedChanges(opened, order.source)).toEqual({ count: 2, paths: ['a.txt', 'uncommitted.txt'] })
    expect(listing(source)).toEqual(before)
    expect(readdirSync(dirname(into.url))).toEqual(['one.git'])
    expect(existsSync(ran)).toBe(false)
    git(source, 'status')
    expect(existsSync(ran), 'the trap is armed').toBe(true)
  })

  it('is made once, and refuses another beginning', async () => {
    const run = await aRun({ 'a.txt': 'a' })
    const order = { git: run.git, source: { url: run.source }, base: 'HEAD', run: 'r1', into: run.repository }
    const before = listing(run.repository.url)
    expect(await createRunRepository(order)).toEqual({ repository: run.repository, base: run.base })
    expect(listing(run.repository.url)).toEqual(before)
    git(run.source, 'commit', '--quiet', '--allow-empty', '-m', 'moved')
    await expect(createRunRepository(order)).rejects.toThrow(`the run began with commit ${run.base}, expected`)
    expect(await createRunRepository({ ...order, base: run.base })).toMatchObject({ base: run.base })
  })

  it('made twice at once is one', async () => {
    const source = aRepository({ 'a.txt': 'a' })
    const opened = await aGit()
    const into = { url: runRepositoryFolder(opened, 'one') }
    const order = { git: opened, source: { url: `file://${source}` }, base: 'main', run: 'r', into }
    const made = await Promise.all([1, 2, 3].map(() => createRunRepository(order)))
    expect(new Set(made.map(({ base }) => base)).size).toBe(1)
    expect(readdirSync(dirname(into.url))).toEqual(['one.git'])
  })

  it.each([
    ['a branch', 'topic', (id: string) => id],
    ['a tag with a message', 'v1', (id: string) => id],
    ['a part of an id', '', (id: string) => id.slice(0, 10)],
  ])('begins with %s', async (_what, name, nameOf) => {
    const source = aRepository({ 'a.txt': 'a' })
    git(source, 'commit', '--quiet', '--allow-empty', '-m', 'named')
    const id = git(source, 'rev-parse', 'HEAD')
    git(source, 'branch', 'topic')
    git(source, 'tag', '-a', 'v1', '-m', 'one')
    git(source, 'commit', '--quiet', '--allow-empty', '-m', 'later')
    const opened = await aGit()
    const into = { url: runRepositoryFolder(opened, 'one') }
    const base = name === '' ? nameOf(id) : name
    const made = await createRunRepository({ git: opened, source: { url: source }, base, run: 'r', into })
    expect(made.base).toBe(id)
  })

  it.each([
    ['a folder below the top', (source: string) => join(source, 'sub')],
    ['a worktree', (source: string) => worktreesOf(source)],
    ['a bare clone', (source: string) => clone(source, '--bare')],
    ['a shallow clone', (source: string) => clone(`file://${source}`, '--depth=1')],
    ['a clone that borrows its objects', (source: string) => clone(source, '--shared')],
  ])('is made from %s', async (_what, place) => {
    const source = aRepository({ 'sub/a.txt': 'a', 'b.txt': 'b' })
    git(source, 'commit', '--quiet', '--allow-empty', '-m', 'second')
    const opened = await aGit()
    const repository = { url: runRepositoryFolder(opened, 'one') }
    const order = { git: opened, source: { url: place(source) }, base: 'HEAD', run: 'r', into: repository }
    const { base } = await createRunRepository(order)
    const { entries } = await listTree(await openMirror(opened, repository), base)
    expect(entries.map(({ path }) => path)).toEqual(['b.txt', 'sub/a.txt'])
    // What was done with it goes back to where it came from.
    git(source, 'fetch', '--quiet', repository.url, `${baseRef('r')}:refs/heads/back`)
    expect(git(source, 'rev-parse', 'back')).toBe(git(source, 'rev-parse', 'HEAD'))
  })

  it('takes repositories of SHA-256', async () => {
    const run = await aRun({ 'a.txt': 'a' }, '--object-format=sha256')
    expect(run.base).toHaveLength(64)
    await ensureCommit(run.mirror, run.base)
    expect((await listTree(run.mirror, run.base)).entries).toHaveLength(1)
  })

  it.each([
    ['HEAD', 'not-there', /expected a git repository, got a path that is not there/],
    ['HEAD', '', /expected a folder in a git repository/],
    ['no-such-branch', 'repo', /base: expected a commit, got no-such-branch, which names none/],
    ['--output=x', 'repo', /base: expected a branch, tag or commit, got "--output=x"/],
    ['a..b', 'repo', /base: expected a branch/],
    ['HEAD', 'empty', /base: expected a repository with a commit, got none/],
  ])('is not made for %s of %j', async (base, name, complaint) => {
    const folder = freshFolder()
    if (name === 'repo') put(aRepository({ a: 'a' }), {})
    const source = name === 'repo' ? aRepository({ a: 'a' }) : join(folder, name)
    if (name === 'empty') git(folder, 'init', '--quiet', name)
    const opened = await aGit()
    const into = { url: runRepositoryFolder(opened, 'one') }
    const making = createRunRepository({ git: opened, source: { url: source }, base, run: 'r', into })
    await expect(making).rejects.toMatchObject({ type: 'Contract.Violated', message: expect.stringMatching(complaint) })
    expect(existsSync(join(opened.home, 'repos'))).toBe(false)
  })

  it('is not made from one whose objects are missing, and says so without paths', async () => {
    const source = aRepository({ 'a.txt': 'a' })
    const blob = git(source, 'rev-parse', 'HEAD:a.txt')
    put(source, { [`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`]: null })
    const opened = await aGit()
    const into = { url: runRepositoryFolder(opened, 'one') }
    const making = createRunRepository({ git: opened, source: { url: source }, base: 'HEAD', run: 'r', into })
    const failure: unknown = await making.catch((error: unknown) => error)
    expect(failure).toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringMatching(/^git fetch ended with exit code/),
    })
    expect(String(failure)).not.toContain(source)
    expect(readdirSync(join(opened.home, 'repos'))).toEqual([])
  })

  it('can be one that was there before, shared by several runs', async () => {
    const shared = freshFolder()
    git(shared, 'init', '--quiet', '--bare')
    const source = aRepository({ 'a.txt': 'a' })
    const opened = await aGit()
    const order = { git: opened, source: { url: source }, base: 'HEAD', into: { url: shared } }
    const { base } = await createRunRepository({ ...order, run: 'one' })
    await createRunRepository({ ...order, run: 'two' })
    const mirror = await openMirror(opened, order.into)
    await publishRef({ mirror, ref: branchRef({ run: 'one', name: 'result' }), commit: base })
    await removeRunRepository(opened, order.into, 'one')
    expect((await listRefs(opened, order.into, [])).map(({ ref }) => ref)).toEqual([baseRef('two')])
    await removeRunRepository(opened, order.into, 'one')
  })

  it('that is ours is removed with its mirror, again and again', async () => {
    const run = await aRun({ 'a.txt': 'a' })
    for (let turn = 0; turn < 2; turn++) await removeRunRepository(run.git, run.repository, 'r1')
    for (const folder of ['repos', 'mirrors', 'scratch'])
      expect(readdirSync(join(run.git.home, folder)), folder).toEqual([])
  })

  it('half made by a killed process is swept, and so is the mirror of one that is gone', async () => {
    const run = await aRun({ 'a.txt': 'a' })
    // Of a process that had our number before us.
    const dead = join(run.git.home, 'repos', `.part-${ownerMark().replace(/[0-9a-f]{8}$/, '00000000')}-x`)
    const living = join(run.git.home, 'repos', `.part-${ownerMark()}-x`)
    for (const folder of [dead, living]) mkdirSync(join(folder, 'objects'), { recursive: true })
    const ours = readFileSync(join(run.mirror.folder, 'gauntlet-mirror-of'), 'utf8')
    expect(ours.trim()).toBe(run.repository.url)
    mkdirSync(join(run.git.home, 'mirrors', 'x-00000000.git'))
    await makeRepository(run.git, join(run.git.home, 'mirrors', `gone${mirrorSuffix()}`), {
      objectFormat: 'sha1',
      isDurable: false,
      fill: async (draft) => writeFileSync(join(draft, 'gauntlet-mirror-of'), '/no/such/place\n'),
    })
    expect(await sweepRepositories(run.git)).toBe(3)
    expect([dead, living].map(existsSync)).toEqual([false, true])
    expect(readdirSync(join(run.git.home, 'mirrors'))).toHaveLength(1)
  })
})

function clone(source: string, ...options: string[]): string {
  const folder = freshFolder()
  git(folder, 'clone', '--quiet', ...options, source, 'clone')
  return join(folder, 'clone')
}

it('a mirror fetches what it lacks, once, and knows it after that', async () => {
  const run = await aRun({ 'a.txt': 'a' })
  const ref = attemptRef({ run: 'r1', step: 's', round: 0 })
  git(run.source, 'commit', '--quiet', '--allow-empty', '-m', 'next')
  const next = git(run.source, 'rev-parse', 'HEAD')
  await expect(ensureCommit(run.mirror, next)).rejects.toMatchObject({ type: 'Tool.Failed' })
  git(run.source, 'push', '--quiet', run.repository.url, `HEAD:${ref}`)
  await ensureCommit(run.mirror, next)
  git(run.repository.url, 'update-ref', '-d', ref)
  await ensureCommit(await openMirror(run.git, run.repository), next)
  await Promise.all([1, 2, 3, 4].map(() => ensureCommit(run.mirror, run.base)))
})
