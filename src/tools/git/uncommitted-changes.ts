import { existsSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryRef } from '../../contracts/git.js'
import { fitPath } from '../../rules/git/fit-path.js'
import { transportOf } from '../../rules/git/repository-url.js'
import { withScratch } from '../folder/scratch.js'
import { baseOf } from './base-commit.js'
import { makeGitView } from './git-view.js'
import type { Git } from './git.js'
import { tryGit } from './run-git.js'

export interface UncommittedChanges {
  /** A lower bound when there are many thousands. */
  count: number
  /** The first of them; JSON strings where a name cannot travel. */
  paths: readonly string[]
}

/**
 * What a person changed since the last commit, new files included: a run does not see it. Null where that cannot be told: a
 * repository elsewhere, a bare one, an index in a form of its own. Nothing is written there and its configuration is not read.
 */
export async function uncommittedChanges(git: Git, source: RepositoryRef): Promise<UncommittedChanges | null> {
  if (transportOf(source.url).kind === 'remote') return null
  const { commit, from } = await baseOf(git, source, 'HEAD')
  if (typeof from === 'string' || from.workTree === null) return null
  const { commonDir, gitDir, workTree, readable } = from
  return await withScratch(join(git.home, 'scratch'), async (view) => {
    await makeGitView({
      gitDir: view,
      commit,
      objects: join(commonDir, 'objects'),
      shallow: join(commonDir, 'shallow'),
    })
    await mkdir(join(view, 'info'))
    for (const [path, name] of [
      [join(gitDir, 'index'), 'index'],
      [join(commonDir, 'info', 'exclude'), 'info/exclude'],
    ] as const)
      if (existsSync(path)) await cp(path, join(view, name), { preserveTimestamps: true })
    const { exitCode, stdout } = await tryGit(git, {
      args: ['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=all', '--untracked-files=normal'],
      repository: view,
      workTree,
      readable,
      limits: { timeMs: 60_000 },
    })
    if (exitCode !== 0) return null
    const names = stdout.split('\0').filter((line) => line !== '')
    return { count: names.length, paths: names.slice(0, 20).map((line) => nameOf(line.slice(3))) }
  })
}

function nameOf(text: string): string {
  const { path, shown } = fitPath(new TextEncoder().encode(text))
  return path ?? shown
}
