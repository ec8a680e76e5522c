import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { attemptRef } from '../../../src/rules/git/ref-names.js'
import { listRefs } from '../../../src/tools/git/mirror.js'
import { makePersonWorktree, publishPersonWork } from '../../../src/tools/git/person-worktree.js'
import { aRepository, aRun, freshFolder, git, put, type Run } from '../../support/git-repository.js'

const ref = (commit: string) => attemptRef({ run: 'r1', step: `TASK-001-by-hand-${commit.slice(0, 12)}`, round: 1 })

async function taken(run: Run): Promise<string> {
  const into = join(freshFolder(), 'mine')
  await makePersonWorktree({ git: run.git, from: run.repository, commit: run.base, into, branch: 'gauntlet/TASK-001' })
  return into
}

function handBack(run: Run, from: string): Promise<string> {
  return publishPersonWork({ git: run.git, from, into: run.repository, ref, start: run.base })
}

describe('a worktree for a person', () => {
  it.each(['sha1', 'sha256'])(
    'is a repository of their own (%s): what they commit there comes into the run, once',
    async (format) => {
      const run = await aRun(
        { 'a.txt': 'a\n', 'run.sh': { text: '#!/bin/sh\n', mode: 0o755 } },
        `--object-format=${format}`,
      )
      const mine = await taken(run)
      expect(git(mine, 'status', '--short', '--branch')).toBe('## gauntlet/TASK-001')
      expect(git(mine, 'rev-parse', 'HEAD')).toBe(run.base)
      put(mine, { 'b.txt': 'b\n' })
      git(mine, 'add', '--all')
      git(mine, 'commit', '--quiet', '-m', 'by hand')
      const commit = await handBack(run, mine)
      expect(commit).toBe(git(mine, 'rev-parse', 'HEAD'))
      expect(await handBack(run, mine)).toBe(commit)
      expect(await listRefs(run.git, run.repository, [ref(commit)])).toEqual([{ ref: ref(commit), commit }])
      expect(git(run.repository.url, 'show', `${commit}:b.txt`)).toBe('b')
    },
  )

  it('is not made in a folder that holds something', async () => {
    const run = await aRun({ 'a.txt': 'a\n' })
    const into = aRepository({ 'mine.txt': 'mine' })
    await expect(
      makePersonWorktree({ git: run.git, from: run.repository, commit: run.base, into, branch: 'x' }),
    ).rejects.toThrow('expected a folder that is empty or not there yet, got one that holds something')
    expect(existsSync(join(into, 'mine.txt'))).toBe(true)
  })

  it('is handed back whole: nothing uncommitted, nothing of another history', async () => {
    const run = await aRun({ 'a.txt': 'a\n' })
    const mine = await taken(run)
    put(mine, { 'forgotten.txt': 'x' })
    await expect(handBack(run, mine)).rejects.toThrow('expected everything committed, found changes: forgotten.txt')
    await expect(handBack(run, aRepository({ 'a.txt': 'other\n' }))).rejects.toThrow(/expected work that began with/)
    await expect(handBack(run, freshFolder())).rejects.toThrow('expected a folder in a git repository')
    expect(await listRefs(run.git, run.repository, ['refs/gauntlet/r1/TASK'])).toEqual([])
  })
})
