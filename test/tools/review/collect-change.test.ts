import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGit, type Git } from '../../../src/tools/git/git.js'
import { collectChange } from '../../../src/tools/review/collect-change.js'
import { collectFiles } from '../../../src/tools/review/collect-files.js'
import { collectPatch } from '../../../src/tools/review/collect-patch.js'
import { runner } from '../../support/git-repository.js'

let root = ''
let repo = ''
let git: Git
const call = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8', stdio: 'pipe' })
const put = (name: string, content: string | Uint8Array) => writeFileSync(join(repo, name), content)

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'gauntlet-collect-'))
  repo = join(root, 'repo')
  mkdirSync(join(repo, 'src'), { recursive: true })
  git = await openGit({ home: join(root, 'home'), env: process.env, run: runner })
  call('init', '-q', '-b', 'main')
  call('config', 'user.email', 'a@example.org')
  call('config', 'user.name', 'A')
  put('src/a.js', 'one()\ntwo()\n')
  put('src/old.js', Array.from({ length: 9 }, (_, i) => `line(${i})\n`).join(''))
  put('.gitignore', 'ignored.js\n')
  put(
    '.gauntlet-review.json',
    JSON.stringify({ suppressions: [{ rule: 'no-eval', path: '**', reason: 'the console' }] }),
  )
  call('add', '.')
  call('commit', '-qm', 'first')
  put('src/a.js', 'one()\n2()\n')
  call('commit', '-qam', 'second')
  call('mv', 'src/old.js', 'src/new.js')
  put('src/a.js', 'one()\nthree()\n')
  put('fresh.js', 'eval(x)\n')
  put('ignored.js', 'no\n')
  put('image.bin', Buffer.from([0, 1, 2]))
  put('.gauntlet-review.json', '{"suppressions": "broken on the way"}')
  // What a stranger's configuration would run.
  call('config', 'core.fsmonitor', `touch ${join(root, 'ran')}`)
  call('config', 'diff.external', `touch ${join(root, 'ran')}`)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('the uncommitted change', () => {
  it('has changed, new and renamed files with both versions, and what it cannot show', async () => {
    const { sources, content } = await collectChange({ git, folder: join(repo, 'src'), range: null })
    const told = sources.files.map(({ path, status, old_path, before, text }) => [
      path,
      status,
      old_path,
      before?.length ?? null,
      text?.length,
    ])
    expect(told).toEqual([
      ['.gauntlet-review.json', 'modified', null, 72, 37],
      ['fresh.js', 'added', null, null, 8],
      ['src/a.js', 'modified', null, 10, 14],
      ['src/new.js', 'renamed', 'src/old.js', 72, 72],
    ])
    expect(sources.left_out).toEqual([{ path: 'image.bin', reason: 'binary' }])
    expect(content.files_changed).toContain('image.bin')
    expect(content.diff_content).toContain('+three()')
  })

  it('is excused by the version before it alone', async () => {
    const { sources } = await collectChange({ git, folder: repo, range: null })
    expect(sources.suppressions).toEqual([{ rule: 'no-eval', path: '**', reason: 'the console' }])
  })

  it('leaves the repository and its index as they are, and runs nothing of its configuration', async () => {
    const before = call('-c', 'core.fsmonitor=false', 'status', '--porcelain')
    await collectChange({ git, folder: repo, range: null })
    expect(call('-c', 'core.fsmonitor=false', 'status', '--porcelain')).toBe(before)
  })
})

it.each([
  ['HEAD~1..HEAD', ['src/a.js'], '2()'],
  ['HEAD~1...HEAD', ['src/a.js'], '2()'],
  ['HEAD~1', ['.gauntlet-review.json', 'fresh.js', 'src/a.js', 'src/new.js'], 'three()'],
])('reads %s', async (range, paths, line) => {
  const { sources, content } = await collectChange({ git, folder: repo, range })
  expect(sources.files.map(({ path }) => path)).toEqual(paths)
  expect(content.diff_content).toContain(`+${line}`)
})

it.each([
  ['no such commit', 'nosuch..HEAD', 'which names none'],
  ['an option', '--output=x', 'expected a branch, tag or commit'],
])('refuses %s', async (_, range, words) => {
  await expect(collectChange({ git, folder: repo, range })).rejects.toThrow(words)
})

it('refuses a folder without a repository', async () => {
  await expect(collectChange({ git, folder: root, range: null })).rejects.toThrow(
    'expected a folder in a git repository',
  )
})

describe('a patch', () => {
  const patch = '--- a/src/a.js\n+++ b/src/a.js\n@@ -1,2 +1,2 @@\n one()\n-2()\n+three()\n'
  const first = async (text: string) => (await collectPatch(text, repo)).sources.files[0]

  it('knows both versions whether the folder has it already or not', async () => {
    const versions = { before: 'one()\n2()\n', text: 'one()\nthree()\n' }
    rmSync(join(repo, '.gauntlet-review.json'))
    expect(await first(patch)).toMatchObject(versions)
    put('src/a.js', 'one()\n2()\n')
    expect(await first(patch)).toMatchObject(versions)
    put('src/a.js', 'quite another file\n')
    expect(await first(patch)).toMatchObject({ before: null, text: null })
  })

  it.each([
    ['a path outside', '--- a/x\n+++ ../../x\n@@ -1 +1 @@\n-a\n+b\n', 'expected a relative path'],
    ['no patch', 'hello\n', 'expected a unified diff'],
  ])('is refused with %s', async (_, text, words) => {
    await expect(collectPatch(text, repo)).rejects.toThrow(words)
  })
})

it('finds files by globs, and says which find none', async () => {
  const { sources } = await collectFiles(['src/*.js', 'fresh.js'], repo)
  expect(sources.files.map(({ path }) => path)).toEqual(['src/a.js', 'src/new.js', 'fresh.js'])
  await expect(collectFiles(['lib/**'], repo)).rejects.toThrow('found none for "lib/**"')
})
