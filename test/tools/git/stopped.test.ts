import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { attemptRef, branchRef } from '../../../src/rules/git/ref-names.js'
import { addWorktree } from '../../../src/tools/git/add-worktree.js'
import { commitWorktree } from '../../../src/tools/git/commit-worktree.js'
import { type Git, withSignal } from '../../../src/tools/git/git.js'
import { openMirror } from '../../../src/tools/git/mirror.js'
import { moveBranch, publishRef } from '../../../src/tools/git/publish-ref.js'
import { createRunRepository, runRepositoryFolder } from '../../../src/tools/git/run-repository.js'
import { aGit, aRepository, freshFolder, git, put, stamp } from '../../support/git-repository.js'

const files = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`d${at % 7}/f${at}.txt`, `${at}\n`]))

/** A step from the beginning to its published end. */
async function step(opened: Git, source: string): Promise<string> {
  const into = { url: runRepositoryFolder(opened, 'run') }
  const { base } = await createRunRepository({ git: opened, source: { url: source }, base: 'HEAD', run: 'r', into })
  const mirror = await openMirror(opened, into)
  const worktree = await addWorktree({ mirror, commit: base, into: freshFolder() })
  put(worktree.folder, { 'd1/new.txt': 'n\n', 'd2/f2.txt': null })
  const result = await commitWorktree({ worktree, message: 'work', stamp })
  if (result.status !== 'committed') throw new Error(JSON.stringify(result))
  const ref = attemptRef({ run: 'r', step: 's', round: 0 })
  const { commit } = await publishRef({ mirror, ref, commit: result.commit })
  await moveBranch({ mirror, ref: branchRef({ run: 'r', name: 'result' }), expect: null, to: commit })
  return commit
}

it('a step whose git is killed at any moment comes to the same end when it is run again', async () => {
  const source = aRepository(files)
  const startedAt = performance.now()
  const expected = await step(await aGit(), source)
  const wholeMs = performance.now() - startedAt
  let stopped = 0
  for (let at = 1; at <= 6; at++) {
    const opened = await aGit()
    // Killed with everything it started, wherever it is.
    const limit = AbortSignal.timeout(Math.round((wholeMs * at) / 7))
    stopped += await step(withSignal(opened, limit), source).then(
      () => 0,
      () => 1,
    )
    expect(await step(opened, source)).toBe(expected)
    const repository = runRepositoryFolder(opened, 'run')
    expect(git(repository, 'fsck', '--full', '--strict')).not.toMatch(/missing|broken|corrupt/)
    expect(readdirSync(join(opened.home, 'repos'))).toEqual(['run.git'])
    expect(readdirSync(join(opened.home, 'scratch'))).toEqual([])
  }
  expect(stopped).toBeGreaterThan(2)
}, 60_000)
