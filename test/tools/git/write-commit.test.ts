import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, it } from 'vitest'
import type { CommitStamp } from '../../../src/contracts/git.js'
import { commitMessage } from '../../../src/rules/git/commit-message.js'
import { stampEnv } from '../../../src/tools/git/stamp-env.js'
import { type NewCommit, writeCommit } from '../../../src/tools/git/write-commit.js'
import { aRun, git, type Run, stamp } from '../../support/git-repository.js'

interface Sample {
  message: string
  stamp: CommitStamp
  parents: number
}

const samples: [string, Sample][] = [
  ['a usual one', { message: 'develop, round 1: coder\n\nGauntlet-Record: {"a":1}', stamp, parents: 1 }],
  ['one of a merge', { message: 'merge', stamp, parents: 2 }],
  ['words of other languages', { message: '修复 naïve 🙂\n\n\n', stamp: { ...stamp, name: 'Zoë 李' }, parents: 1 }],
  ['no words', { message: ' \n', stamp, parents: 1 }],
  [
    'a name with what git takes off',
    { message: 'm', stamp: { ...stamp, name: ' .\'"A. B.,;:\\ ', email: '"a@b."' }, parents: 1 },
  ],
  ['another time zone', { message: 'm', stamp: { ...stamp, at: '2026-03-29T02:30:00.999+05:30' }, parents: 1 }],
]

/** What git itself makes of the same. */
function byGit(folder: string, { tree, parents, message, stamp: by }: NewCommit): string {
  return execFileSync('git', ['commit-tree', ...parents.flatMap((parent) => ['-p', parent]), '-F', '-', tree], {
    env: { PATH: process.env['PATH'], GIT_DIR: folder, HOME: folder, ...stampEnv(by) },
    input: commitMessage(message),
    encoding: 'utf8',
  }).trim()
}

describe.each([[[]], [['--object-format=sha256']]])('a commit in a repository made with %j', (init) => {
  let run: Run
  let parents: string[]
  let tree: string

  beforeAll(async () => {
    run = await aRun({ 'a.txt': 'a' }, ...init)
    const { folder } = run.mirror
    git(folder, 'fetch', '--quiet', run.source, 'HEAD:refs/heads/there')
    tree = git(folder, 'rev-parse', 'there^{tree}')
    parents = [git(folder, 'rev-parse', 'there'), git(folder, 'commit-tree', '-m', 'other', tree)]
  })

  it.each(samples)('of %s is the one that git makes', async (_, { message, stamp: by, parents: count }) => {
    const commit = { tree, parents: parents.slice(0, count), message, stamp: by }
    const ids = await Promise.all([1, 2, 3].map(() => writeCommit(run.mirror, commit)))
    expect(git(run.mirror.folder, 'cat-file', '-t', ids[0] ?? '')).toBe('commit')
    expect(new Set([...ids, byGit(run.mirror.folder, commit)]).size).toBe(1)
  })

  it('is one that git finds nothing wrong with', () => {
    expect(git(run.mirror.folder, 'fsck', '--strict', '--no-dangling')).toBe('')
  })
})
