import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../src/cli/command.js'
import { uploadCandidates } from '../../src/cli/eval-candidates.js'
import { openTerminal } from '../../src/cli/terminal.js'
import { type Candidate, FolderListing } from '../../src/contracts/eval.js'
import { freshFolder, git, put } from '../support/git-repository.js'
import { memoryStore } from '../support/memory-store.js'
import { collected, fakeStreams } from '../support/typed-cli.js'

const store = memoryStore('branches')
let root = ''
let repository = ''

/** A person's repository: three attempts at one task on branches of their own, and work under way that is nobody's business. */
beforeEach(() => {
  root = freshFolder()
  repository = join(root, 'project')
  put(repository, { 'sum.js': 'export const sum = (a, b) => a\n', 'README.md': 'a project\n' })
  git(repository, 'init', '-q', '-b', 'main')
  commit('start')
  for (const [branch, text] of [
    ['plain', 'export const sum = (a, b) => a + b\n'],
    ['loop', 'export function sum(a, b) { while (b-- > 0) a++; return a }\n'],
    ['tricky/one', 'export const sum = (a, b) => a - -b\n'],
  ] as const) {
    git(repository, 'switch', '-q', '-c', branch, 'main')
    put(repository, { 'sum.js': text })
    commit(branch)
  }
  git(repository, 'tag', 'v1', 'plain')
  git(repository, 'switch', '-q', 'main')
  put(repository, { 'sum.js': 'not committed\n', 'notes.txt': 'mine\n' })
})

function commit(message: string): void {
  git(repository, 'add', '-A')
  git(repository, 'commit', '-q', '-m', message)
}

async function upload(entries: readonly object[]): Promise<Candidate[]> {
  writeFileSync(join(root, 'candidates.json'), JSON.stringify(entries))
  const context: Context = {
    terminal: openTerminal(fakeStreams(collected().stream, collected().stream), {}, false),
    env: { PATH: process.env['PATH'] },
    home: join(root, 'home'),
    cwd: root,
    signal: new AbortController().signal,
  }
  return await uploadCandidates(context, 'candidates.json', store)
}

async function filesOf({ content }: Candidate): Promise<Record<string, string>> {
  const listing = FolderListing.parse(JSON.parse((await store.get(content)).toString()))
  const files = await Promise.all(listing.map(async (file) => [file.name, (await store.get(file)).toString()] as const))
  return Object.fromEntries(files)
}

describe('candidates that are git branches', () => {
  it('are what is committed there, under the name given; the checkout is neither read nor touched', async () => {
    const before = git(repository, 'status', '--porcelain', '--branch')
    const candidates = await upload([
      { name: 'ada', branch: 'plain', repo: 'project' },
      { name: 'ben', branch: 'loop', repo: './project' },
      { name: 'cleo', branch: 'tricky/one', repo: repository },
      { name: 'as it was', branch: 'main', repo: 'project' },
    ])
    expect(candidates.map(({ name, kind }) => [name, kind])).toEqual([
      ['ada', 'folder'],
      ['ben', 'folder'],
      ['cleo', 'folder'],
      ['as it was', 'folder'],
    ])
    const files = await Promise.all(candidates.map(filesOf))
    expect(files.map((each) => each['sum.js'])).toEqual([
      'export const sum = (a, b) => a + b\n',
      'export function sum(a, b) { while (b-- > 0) a++; return a }\n',
      'export const sum = (a, b) => a - -b\n',
      'export const sum = (a, b) => a\n',
    ])
    for (const each of files) expect(Object.keys(each)).toEqual(['README.md', 'sum.js'])
    expect(candidates[0]?.bytes).toBe('a project\n'.length + 'export const sum = (a, b) => a + b\n'.length)
    expect(git(repository, 'status', '--porcelain', '--branch')).toBe(before)
    expect(readFileSync(join(repository, 'sum.js'), 'utf8')).toBe('not committed\n')
  })

  it('may be tags and commits as well', async () => {
    const [tagged, committed] = await upload([
      { name: 'a', branch: 'v1', repo: 'project' },
      { name: 'b', branch: git(repository, 'rev-parse', 'loop'), repo: 'project' },
    ])
    if (tagged === undefined || committed === undefined) throw new Error('two were given')
    expect((await filesOf(tagged))['sum.js']).toContain('a + b')
    expect((await filesOf(committed))['sum.js']).toContain('while')
  })

  it('bring no links, no programs of their own, and nothing from outside', async () => {
    git(repository, 'stash', '-q', '-u')
    git(repository, 'switch', '-q', '-c', 'hostile')
    const mark = join(root, 'was-run')
    put(repository, {
      '.gitattributes': '*.js filter=run\n',
      '.git/hooks/post-checkout': { text: `#!/bin/sh\ntouch ${mark}\n`, mode: 0o755 },
      secrets: { link: '/etc/passwd' },
      'node_modules/x/index.js': 'module.exports = 1\n',
    })
    git(repository, 'add', '-A', '-f')
    git(repository, 'commit', '-q', '-m', 'hostile')
    git(repository, 'config', 'filter.run.smudge', `sh -c 'touch ${mark}; cat'`)
    const [candidate] = await upload([{ name: 'h', branch: 'hostile', repo: 'project' }])
    if (candidate === undefined) throw new Error('one was given')
    expect(Object.keys(await filesOf(candidate))).toEqual(['.gitattributes', 'README.md', 'sum.js'])
    expect(existsSync(mark)).toBe(false)
  })

  it.each([
    ['a branch that is not there', { branch: 'nowhere', repo: 'project' }, /nowhere/],
    ['a branch that is an option', { branch: '--upload-pack=touch x', repo: 'project' }, /--upload-pack/],
    ['a folder that is no repository', { branch: 'main', repo: '.' }, /repository/],
  ])('%s is refused in one line', async (_, entry, line) => {
    const refused = upload([{ name: 'a', ...entry }])
    await expect(refused).rejects.toMatchObject({
      type: 'Contract.Violated',
      message: expect.stringMatching(line) as string,
    })
    await expect(refused).rejects.not.toThrow('\n')
  })
})
