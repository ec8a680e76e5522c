import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DiffFile, parseDiff } from '../../../src/rules/review/diff.js'

const one = (text: string): DiffFile => {
  const { files, problems } = parseDiff(text)
  expect(problems).toEqual([])
  expect(files).toHaveLength(1)
  return files[0]!
}

describe('what git writes', () => {
  let repo = ''
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' })
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(repo, name), content)

  beforeAll(() => {
    repo = mkdtempSync(join(tmpdir(), 'gauntlet-diff-'))
    git('init', '-q')
    git('config', 'user.email', 'a@example.org')
    git('config', 'user.name', 'A')
    mkdirSync(join(repo, 'src'))
    put('src/keep.js', 'one\ntwo\nthree\n')
    put('src/old name.js', Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join(''))
    put('gone.txt', 'bye\n-- a/trap\n')
    put('mode.sh', 'echo\n')
    put('image.bin', Buffer.from([0, 1, 2, 3, 255, 0]))
    put('win.txt', 'a\r\nb\r\n')
    put('unended.txt', 'x\ny')
    put('übersicht "q".txt', 'a\n')
    git('add', '.')
    git('commit', '-qm', 'first')
    put('src/keep.js', 'one\n2\nthree\n++ b/trap\n')
    renameSync(join(repo, 'src/old name.js'), join(repo, 'src/new name.js'))
    rmSync(join(repo, 'gone.txt'))
    chmodSync(join(repo, 'mode.sh'), 0o755)
    put('image.bin', Buffer.from([0, 9, 9, 9]))
    put('win.txt', 'a\r\nB\r\n')
    put('unended.txt', 'x\nz')
    put('übersicht "q".txt', 'b\n')
    put('empty.txt', '')
    put('new.txt', 'fresh\n')
    git('add', '.')
  })
  afterAll(() => rmSync(repo, { recursive: true, force: true }))

  it.each([
    ['plain', []],
    ['with binary patches', ['--binary']],
    ['without prefixes', ['--no-prefix']],
    ['with words of its own for the sides', ['--src-prefix=i/', '--dst-prefix=w/']],
  ])('is read whole, %s', (_, options) => {
    const { files, problems } = parseDiff(git('diff', '--cached', '-M', ...options))
    expect(problems).toEqual([])
    const told = files.map(({ path, oldPath, status, isBinary, hunks }) => [
      path,
      oldPath,
      status,
      isBinary,
      hunks.length,
    ])
    expect(told.toSorted()).toEqual(
      [
        ['empty.txt', null, 'added', false, 0],
        ['gone.txt', null, 'deleted', false, 1],
        ['image.bin', null, 'modified', true, 0],
        ['mode.sh', null, 'modified', false, 0],
        ['new.txt', null, 'added', false, 1],
        ['src/keep.js', null, 'modified', false, 1],
        ['src/new name.js', 'src/old name.js', 'renamed', false, 0],
        ['unended.txt', null, 'modified', false, 1],
        ['win.txt', null, 'modified', false, 1],
        ['übersicht "q".txt', null, 'modified', false, 1],
      ].toSorted(),
    )
  })

  it('keeps text that looks like a header inside its hunk', () => {
    const { files } = parseDiff(git('diff', '--cached', '--', 'src/keep.js', 'gone.txt'))
    expect(files.map(({ hunks }) => hunks[0]?.lines)).toEqual([
      ['-bye', '--- a/trap'],
      [' one', '-two', '+2', ' three', '+++ b/trap'],
    ])
  })

  it('knows ends of line and their absence', () => {
    expect(one(git('diff', '--cached', '--', 'win.txt')).hunks[0]?.lines).toEqual([' a\r', '-b\r', '+B\r'])
    expect(one(git('diff', '--cached', '--', 'unended.txt')).hunks[0]).toMatchObject({
      lines: [' x', '-y', '+z'],
      isOldUnended: true,
      isNewUnended: true,
    })
  })
})

describe('what others write', () => {
  it('reads a patch without git headers, with dates, inside a mail', () => {
    const text = [
      'From: someone',
      '--- not a header',
      '',
      '--- a/lib/x.py\t2024-01-01 10:00:00',
      '+++ b/lib/x.py\t2024-01-02 10:00:00',
      '@@ -1 +1,2 @@ def f():',
      '-a',
      '+b',
      '+c',
      '-- ',
      '2.40',
    ].join('\n')
    expect(one(text)).toMatchObject({ path: 'lib/x.py', oldPath: null, status: 'modified' })
    expect(one(text).hunks).toMatchObject([
      { oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, section: 'def f():', lines: ['-a', '+b', '+c'] },
    ])
  })

  it('reads a patch whose line ends became CRLF', () => {
    const text = 'diff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n'
    expect(one(text)).toMatchObject({ path: 'x', hunks: [{ lines: ['-a\r', '+b\r'] }] })
  })

  it('takes an empty line for an empty line of context', () => {
    expect(one('--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n').hunks[0]?.lines).toEqual([' a', ' ', '-b', '+c'])
  })

  it('names a submodule', () => {
    const text =
      'diff --git a/sub b/sub\nindex 1234567..89abcde 160000\n--- a/sub\n+++ b/sub\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n'
    expect(one(text)).toMatchObject({ path: 'sub', isSubmodule: true })
  })

  it.each([
    ['../../etc/passwd', 'a path that leaves the folder'],
    ['/etc/passwd', 'an absolute path'],
    ['c:/windows/x', 'a drive'],
  ])('refuses %s: %s', (name) => {
    const { files, problems } = parseDiff(`--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-a\n+b\n`)
    expect(files).toEqual([])
    expect(problems).toEqual([{ line: 1, message: expect.stringContaining('expected a relative path') }])
  })

  it.each([
    ['a hunk that ends early', '--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n', 'ends before its counts are met'],
    ['the diff of a merge', 'diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n', 'combined diff'],
    ['hunks in the wrong order', '--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n', 'in the order'],
    ['a series of patches', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'.repeat(2), 'got "x" again'],
  ])('says what is wrong with %s', (_, text, words) => {
    expect(parseDiff(text).problems[0]?.message).toContain(words)
  })
})

it('never throws, whatever the text', () => {
  const words = fc.constantFrom(
    'diff --git ',
    'a/x ',
    'b/x',
    '\n',
    '--- ',
    '+++ ',
    '@@ -1 +1 @@',
    '-',
    '+',
    ' ',
    '"\\303',
    '\r',
    'é',
  )
  fc.assert(fc.property(fc.array(words, { maxLength: 60 }), (parts) => void parseDiff(parts.join(''))))
})

it('reads 300,000 lines in a time that grows with them', () => {
  const hunk = (n: number) => `@@ -${n} +${n},2 @@\n-old ${n}\n+new ${n}\n+more\n`
  const text = (files: number) =>
    Array.from({ length: files }, (_, file) => {
      const hunks = Array.from({ length: 50 }, (__, i) => hunk(i * 3 + 1)).join('')
      return `diff --git a/f${file}.js b/f${file}.js\n--- a/f${file}.js\n+++ b/f${file}.js\n${hunks}`
    }).join('')
  const big = text(1500)
  const started = performance.now()
  expect(parseDiff(big).files).toHaveLength(1500)
  expect(performance.now() - started).toBeLessThan(10_000)
})
