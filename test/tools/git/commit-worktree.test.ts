import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addWorktree } from '../../../src/tools/git/add-worktree.js'
import { commitWorktree, type CommitResult } from '../../../src/tools/git/commit-worktree.js'
import { listTree, readBlob } from '../../../src/tools/git/read-commit.js'
import { diffText } from '../../../src/tools/git/read-diff.js'
import {
  anAttempt,
  aRun,
  type Files,
  freshFolder,
  git,
  hasSandbox,
  put,
  type Run,
  runner,
  stamp,
} from '../../support/git-repository.js'

const isRoot = process.getuid?.() === 0

/** Commits what `work` does to a fresh worktree. */
async function attempted(run: Run, work: (folder: string) => void): Promise<CommitResult> {
  const worktree = await anAttempt(run)
  work(worktree.folder)
  return await commitWorktree({ worktree, message: 'work', stamp })
}

async function committed(run: Run, files: Files): Promise<string> {
  const result = await attempted(run, (folder) => put(folder, files))
  if (result.status !== 'committed') throw new Error(JSON.stringify(result))
  return result.commit
}

function reasonsOf(result: CommitResult): readonly string[] {
  return result.status === 'refused' ? result.reasons : [`not refused: ${JSON.stringify(result)}`]
}

async function pathsOf(run: Run, commit: string): Promise<string[]> {
  return (await listTree(run.mirror, commit)).entries.map(({ path }) => path)
}

/** Names and sizes: a git that borrows objects may note the time it last saw them. */
function contentOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .map((name) => `${name} ${lstatSync(join(folder, name)).size}`)
    .sort()
    .join('\n')
}

describe('a worktree', () => {
  it('holds the commit, and a git of its own that shows history and reaches nothing of ours', async () => {
    const run = await aRun({
      'a.txt': 'one\n',
      'run.sh': { text: '#!/bin/sh\n', mode: 0o755 },
      link: { link: 'a.txt' },
      out: { link: '/etc/hostname' },
      'new\nline': 'n',
    })
    const worktree = await anAttempt(run)
    const { folder } = worktree
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('one\n')
    expect(statSync(join(folder, 'run.sh')).mode & 0o111).toBe(0o111)
    expect(readFileSync(join(folder, 'new\nline'), 'utf8')).toBe('n')
    put(folder, { 'a.txt': 'two\n' })
    expect(git(folder, 'log', '--format=%H')).toBe(run.base)
    expect(git(folder, 'status', '--short')).toBe('M a.txt')
    const ours = () =>
      [run.mirror.folder, run.repository.url].map((path) => git(path, 'for-each-ref') + contentOf(path))
    const before = ours()
    git(folder, 'commit', '--quiet', '--all', '-m', 'mine')
    git(folder, 'checkout', '--quiet', '-b', 'other')
    expect(() => git(folder, 'push')).toThrow(/No configured push destination/)
    expect(ours()).toEqual(before)
    // The engine still sees the change: it does not ask the git of the worktree.
    expect(await commitWorktree({ worktree, message: 'work', stamp })).toMatchObject({
      status: 'committed',
      changes: [{ action: 'modify', path: 'a.txt' }],
    })
  })

  it.skipIf(!hasSandbox)(
    'lets nobody who works there reach what the engine keeps (skipped without bubblewrap)',
    async () => {
      const run = await aRun({ 'a.txt': 'one\n' })
      const { folder, index, mirror, readable } = await anAttempt(run)
      const script = [
        'git log --format=%s; git status --short',
        `touch ${mirror.folder}/x ${mirror.folder}/objects/x ${mirror.folder}/refs/x ${run.repository.url}/x 2>&1`,
        `cat ${index} ${mirror.folder}/config ${run.repository.url}/HEAD 2>&1`,
        `git push ${run.repository.url} HEAD:refs/heads/mine 2>&1`,
        'git commit --quiet --allow-empty -m mine && git log --format=%s',
      ].join('\n')
      const { stdout } = await runner({
        argv: ['/bin/sh', '-c', script],
        cwd: folder,
        readable,
        env: {
          PATH: '/usr/bin:/bin',
          HOME: folder,
          GIT_AUTHOR_NAME: 'A',
          GIT_AUTHOR_EMAIL: 'a@b.c',
          GIT_COMMITTER_NAME: 'A',
          GIT_COMMITTER_EMAIL: 'a@b.c',
        },
        limits: { timeMs: 20_000, memoryBytes: 1e9, outputBytes: 1e6, processes: 100, fileBytes: 1e7 },
      })
      // What is not shown is a private folder at most: nothing of it is outside.
      expect(stdout).toMatch(/^touch: .*\/objects\/x': Read-only file system$/m)
      for (const place of [mirror.folder, `${mirror.folder}/objects`, `${mirror.folder}/refs`, run.repository.url])
        expect(existsSync(join(place, 'x')), place).toBe(false)
      expect(stdout.match(/^cat: .*No such file/gm)).toHaveLength(3)
      expect(stdout).toMatch(/fatal: .*does not appear to be a git repository/)
      expect(stdout.split('\n')[0]).toBe('first')
      expect(stdout.trim().split('\n').slice(-2)).toEqual(['mine', 'first'])
      expect(git(run.repository.url, 'for-each-ref', '--format=%(refname)')).toBe('refs/gauntlet/r1/base/0')
    },
  )

  it('of a commit that is nowhere is a failure in one line', async () => {
    const run = await aRun({ a: 'a' })
    const adding = addWorktree({ mirror: run.mirror, commit: 'f'.repeat(40), into: freshFolder() })
    await expect(adding).rejects.toMatchObject({
      type: 'Tool.Failed',
      message: expect.stringMatching(/^git fetch .*[^\n]$/),
    })
  })
})

describe('an attempt that changed things', () => {
  it('is committed with every change told', async () => {
    const text = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('')
    const run = await aRun({ 'a.txt': 'one\n', 'gone.txt': 'x\n', 'from.txt': text, 'bin.dat': 'b\0\n', 'run.sh': 'x' })
    const result = await attempted(run, (folder) => {
      put(folder, { 'a.txt': 'one\ntwo\n', 'gone.txt': null, 'from.txt': null, 'to/x.txt': `${text}more\n` })
      put(folder, { 'bin.dat': 'c\0\n', 'ü new.txt': 'n\n' })
      chmodSync(join(folder, 'run.sh'), 0o755)
    })
    expect(result).toMatchObject({
      status: 'committed',
      changes: [
        { action: 'modify', path: 'a.txt', lines_added: 1, lines_deleted: 0 },
        { action: 'modify', path: 'bin.dat', lines_added: null, lines_deleted: null },
        { action: 'delete', path: 'gone.txt', lines_added: 0, lines_deleted: 1 },
        { action: 'modify', path: 'run.sh', lines_added: 0, lines_deleted: 0 },
        { action: 'rename', path: 'to/x.txt', old_path: 'from.txt', lines_added: 1, lines_deleted: 0 },
        { action: 'create', path: 'ü new.txt', lines_added: 1, lines_deleted: 0 },
      ],
    })
  })

  it('is the same commit every time, by whom and when it is told, whatever the machine says', async () => {
    const run = await aRun({ 'a.txt': 'one\n' })
    const one = await committed(run, { 'b.txt': 'b\n' })
    const worktree = await anAttempt(run)
    put(worktree.folder, { 'b.txt': 'b\n' })
    for (let turn = 0; turn < 2; turn++)
      expect(await commitWorktree({ worktree, message: 'work', stamp })).toMatchObject({ commit: one })
    expect(git(run.mirror.folder, 'log', '-1', '--format=%an %ae %at %cn %ct %P %B', one)).toBe(
      `Gauntlet gauntlet@example.org 1767323045 Gauntlet 1767323045 ${run.base} work`,
    )
    const other = await commitWorktree({ worktree, message: 'work', stamp: { ...stamp, at: '2026-01-02T03:04:06Z' } })
    expect(other).not.toMatchObject({ commit: one })
  })

  it('and nothing in the end is the commit it began with', async () => {
    const run = await aRun({ 'a.txt': 'one\n' })
    const result = await attempted(run, (folder) => {
      put(folder, { 'a.txt': 'one\n', 'node_modules/x/index.js': 'x', '.gauntlet/notes': 'n', '.gauntlet-x': 'n' })
    })
    expect(result).toEqual({ status: 'unchanged', commit: run.base, changes: [] })
  })

  it('of the same size at the same time is seen', async () => {
    const run = await aRun({ 'a.txt': 'one\n' })
    const result = await attempted(run, (folder) => {
      const path = join(folder, 'a.txt')
      const { atime, mtime } = statSync(path)
      writeFileSync(path, 'two\n')
      utimesSync(path, atime, mtime)
    })
    expect(result).toMatchObject({ status: 'committed', changes: [{ path: 'a.txt' }] })
  })

  it('leaves out what is ignored, what tools installed and what is ours, but not what the base had', async () => {
    const run = await aRun({ '.gitignore': 'dist/\n*.log\n', 'kept.log': 'k\n' })
    const commit = await committed(run, {
      'kept.log': 'changed\n',
      'other.log': 'x',
      'dist/.git/HEAD': 'a repository that nobody sees',
      'dist/x.js': 'x',
      'packages/a/node_modules/b/index.js': 'x',
      'packages/a/.venv/bin/python': 'x',
      'packages/a/.gauntlet.json': 'x',
      'packages/a/index.js': 'x',
    })
    expect(await pathsOf(run, commit)).toEqual(['.gitignore', 'kept.log', 'packages/a/index.js'])
    expect(await readBlob(run.mirror, { commit, path: 'kept.log', maxBytes: 100 })).toMatchObject({
      bytes: Buffer.from('changed\n'),
    })
  })

  it('runs nothing that the repository or the attempt brought', async () => {
    const run = await aRun({ 'a.txt': 'one\n', '.gitattributes': '*.txt ident eol=lf diff=trap merge=trap\n' })
    const ran = join(freshFolder(), 'ran')
    const program = { text: `#!/bin/sh\ntouch ${ran}\ncat\n`, mode: 0o755 }
    const hooks = ['pre-commit', 'post-commit', 'post-index-change', 'reference-transaction', 'post-checkout']
    const result = await attempted(run, (folder) => {
      put(folder, { 'trap.sh': program, 'b.txt': 'b\n' })
      for (const hook of hooks) put(folder, { [`.git/hooks/${hook}`]: program })
      for (const name of ['core.fsmonitor', 'filter.trap.clean', 'diff.trap.textconv', 'merge.trap.driver'])
        git(folder, 'config', name, join(folder, 'trap.sh'))
    })
    expect(result).toMatchObject({ status: 'committed', changes: [{ path: 'b.txt' }, { path: 'trap.sh' }] })
    expect(existsSync(ran)).toBe(false)
  })

  it('keeps submodules and LFS pointers as they are', async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1\n`
    const run = await aRun({ 'big.bin': pointer, 'a.txt': 'a', '.gitattributes': '*.bin filter=lfs -text\n' })
    const before = await anAttempt(run)
    git(before.folder, 'update-index', '--add', '--cacheinfo', `160000,${run.base},sub`)
    git(before.folder, 'commit', '--quiet', '-m', 'with a submodule')
    const withSub = git(before.folder, 'rev-parse', 'HEAD')
    git(before.folder, 'push', '--quiet', run.repository.url, `HEAD:refs/heads/x`)
    const worktree = await anAttempt(run, withSub)
    put(worktree.folder, { 'a.txt': 'b' })
    const result = await commitWorktree({ worktree, message: 'work', stamp })
    expect(result).toMatchObject({ status: 'committed', changes: [{ action: 'modify', path: 'a.txt' }] })
    expect(readFileSync(join(worktree.folder, 'big.bin'), 'utf8')).toBe(pointer)
  })
})

describe('an attempt is refused, in words for whoever made it, that', () => {
  let shared: Run | undefined

  it.each<[string, Files, RegExp]>([
    ['hides a repository', { 'sub/.git/HEAD': 'ref: refs/heads/x\n' }, /^"sub" is a git repository of its own$/],
    ['hides a link to one', { 'sub/.git': 'gitdir: /elsewhere\n' }, /^"sub" is a git repository of its own$/],
    ['hides one by its spelling', { 'sub/.Git/config': '[core]\n' }, /^"sub" is a git repository of its own$/],
    [
      'spells .git another way',
      { '.GIT/config': '[core]\n' },
      /^git cannot take the files: error: invalid path '\.GIT/,
    ],
    ['links out', { 'd/l': { link: '../../x' } }, /^"d\/l" is a symbolic link that leads out of the repository$/],
    ['links to the root', { l: { link: '/etc/passwd' } }, /^"l" is a symbolic link that leads out/],
    ['links to .git', { l: { link: '.git/config' } }, /^"l" is a symbolic link that leads out/],
    ['has a name of two lines', { 'a\nb': 'x' }, /^"a\\nb" is a name that cannot be carried on/],
    ['has a name with a backslash', { 'a\\b': 'x' }, /^"a\\\\b" is a name that cannot be carried on/],
    ['has names that differ in case', { 'Readme.md': 'x' }, /^"Readme.md" differs from "README.md" in case only$/],
    [
      'writes what a filter should see',
      { 'new.bin': 'x' },
      /^"new.bin" must pass the filter "lfs", which is not run here$/,
    ],
    ['cannot be encoded', { 'x.utf16': 'x' }, /^git cannot take the files: .*BOM is required in 'x\.utf16'/],
  ])('%s', async (_what, files, reason) => {
    const attributes = '*.bin filter=lfs\n*.utf16 working-tree-encoding=UTF-16\n'
    shared ??= await aRun({ 'README.md': 'r', '.gitattributes': attributes })
    const run = shared
    expect(reasonsOf(await attempted(run, (folder) => put(folder, files)))).toEqual([expect.stringMatching(reason)])
  })

  it('makes a repository without a commit, or with one', async () => {
    const run = await aRun({ a: 'a' })
    const result = await attempted(run, (folder) => {
      for (const name of ['unborn', 'born']) {
        mkdirSync(join(folder, name))
        git(join(folder, name), 'init', '--quiet')
      }
      git(join(folder, 'born'), 'commit', '--quiet', '--allow-empty', '-m', 'x')
    })
    expect([...reasonsOf(result)].sort()).toEqual(
      ['born', 'unborn'].map((name) => `"${name}" is a git repository of its own`),
    )
  })

  it('turns the link of a repository out, or changes one that led out before', async () => {
    const run = await aRun({ l: { link: '/etc/hosts' }, m: { link: 'a' }, a: 'a' })
    expect(await attempted(run, (folder) => put(folder, { b: 'b' }))).toMatchObject({ status: 'committed' })
    const result = await attempted(run, (folder) => put(folder, { l: { link: '/etc/passwd' }, m: { link: '..' } }))
    expect(reasonsOf(result)).toHaveLength(2)
  })

  it('leaves a huge file, unless it is ignored', async () => {
    const run = await aRun({ '.gitignore': 'dist\n' })
    const huge = (path: string) => (folder: string) => {
      put(folder, { [path]: '', 'small.txt': 's' })

      // Sparse: 60 MB that take no room.
      truncateSync(join(folder, path), 60 * 1024 ** 2)
    }
    expect(reasonsOf(await attempted(run, huge('core.dump')))).toEqual(['"core.dump" has more than 50 MB'])
    expect(await attempted(run, huge('dist/core.dump'))).toMatchObject({ changes: [{ path: 'small.txt' }] })
  })

  it.skipIf(isRoot)('cannot be read (skipped for root, who can read all)', async () => {
    const run = await aRun({ 'sub/a.txt': 'a', 'b.txt': 'b' })
    const result = await attempted(run, (folder) => {
      chmodSync(join(folder, 'b.txt'), 0)
      chmodSync(join(folder, 'sub'), 0)
    })
    expect([...reasonsOf(result)].sort()).toEqual(['"b.txt" cannot be read', '"sub" cannot be read'])
  })
})

it('a worktree whose folder is gone is a failure', async () => {
  const run = await aRun({ a: 'a' })
  const worktree = await anAttempt(run)
  rmSync(worktree.folder, { recursive: true })
  await expect(commitWorktree({ worktree, message: 'work', stamp })).rejects.toThrow(
    'the folder of the attempt is gone',
  )
})

describe('a commit is read', () => {
  it('byte for byte, as far as it is asked for', async () => {
    const run = await aRun({ 'a.txt': 'one\n', l: { link: 'a.txt' }, 'd/x': 'x' })
    const commit = await committed(run, { 'bin.dat': 'x\0y' })
    const read = (path: string, maxBytes = 100) => readBlob(run.mirror, { commit, path, maxBytes })
    expect(await read('bin.dat')).toEqual({ status: 'read', bytes: Buffer.from('x\0y') })
    expect(await read('a.txt', 3)).toEqual({ status: 'too_large', size: 4 })
    expect(await read('a.txt', 4)).toMatchObject({ status: 'read' })
    expect((await Promise.all(['l', 'd'].map((path) => read(path)))).map(({ status }) => status)).toEqual([
      'no_file',
      'no_file',
    ])
    expect((await Promise.all(['*', 'nope', 'd/'].map((path) => read(path)))).map(({ status }) => status)).toEqual([
      'absent',
      'absent',
      'absent',
    ])
  })

  it('with all its names, and those that cannot travel counted', async () => {
    const run = await aRun({ 'a.txt': 'a', 'x\ny': 'n', l: { link: 'a.txt' }, 'run.sh': { text: 'x', mode: 0o755 } })
    expect(await listTree(run.mirror, run.base)).toEqual({
      entries: [
        { path: 'a.txt', kind: 'file', isExecutable: false },
        { path: 'l', kind: 'link', isExecutable: false },
        { path: 'run.sh', kind: 'file', isExecutable: true },
      ],
      misfits: 1,
      isCut: false,
    })
    expect(await listTree(run.mirror, run.base, 2)).toMatchObject({ entries: { length: 2 }, isCut: true })
  })

  it('as a difference in text, cut at a line', async () => {
    const run = await aRun({ 'a.txt': 'one\n' })
    const to = await committed(run, { 'a.txt': 'two\n'.repeat(50_000) })
    const whole = await diffText(run.mirror, { from: run.base, to, maxBytes: 1_000_000 })
    expect(whole.isCut).toBe(false)
    expect(whole.text).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/)
    const part = await diffText(run.mirror, { from: run.base, to, maxBytes: 1000 })
    expect(part.isCut).toBe(true)
    expect(part.text.length).toBeLessThanOrEqual(1000)
    expect(whole.text.startsWith(part.text)).toBe(true)
    expect(part.text.endsWith('\n')).toBe(true)
  })
})
