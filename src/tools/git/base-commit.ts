import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import { transportOf } from '../../rules/git/repository-url.js'
import { withScratch } from '../folder/scratch.js'
import { makeGitView } from './git-view.js'
import type { Git } from './git.js'
import { type LocatedRepository, locateRepository } from './locate-repository.js'
import { FETCH, firstComplaint, runGit, tryGit } from './run-git.js'

export interface BaseCommit {
  commit: CommitId
  objectFormat: 'sha1' | 'sha256'
  /** The repository it is in: on this machine, or a URL. */
  from: LocatedRepository | string
}

/**
 * The commit that a branch, tag, id or 'HEAD' means in a repository. Throws `Failure('Contract.Violated')` for a name that means
 * none.
 */
export async function baseOf(git: Git, source: RepositoryRef, base: string): Promise<BaseCommit> {
  if (!/^(?!-)(?!.*\.\.)[\w./@+=~^#-]{1,250}$/.test(base))
    throw new Failure(
      'Contract.Violated',
      `base: expected a branch, tag or commit, got ${JSON.stringify(base.slice(0, 80))}`,
    )
  const place = transportOf(source.url)
  if (place.kind === 'remote') return await remoteBase(git, place.url, base)
  const found = locateRepository(place.path)
  const commit = await localCommit(git, found, base)
  return { commit, objectFormat: formatOf(commit), from: found }
}

async function localCommit(git: Git, { gitDir, readable }: LocatedRepository, base: string): Promise<CommitId> {
  const call = { args: ['rev-parse', '--verify', '--quiet', `${base}^{commit}`], repository: gitDir, readable }
  const { exitCode, stdout, stderr } = await tryGit(git, call)
  if (exitCode === 0) return stdout.trim()
  const words = firstComplaint(stderr)
  const why = words === '' ? '' : ` (${words})`
  const isUnborn = base === 'HEAD'
  throw unknownBase(
    isUnborn ? `a repository with a commit, got none${why}` : `a commit, got ${base}, which names none${why}`,
  )
}

async function remoteBase(git: Git, url: string, base: string): Promise<BaseCommit> {
  const stdout = await runGit(git, { args: ['ls-remote', '--quiet', '--end-of-options', url], isRemote: true })
  const refs = new Map(
    [...stdout.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64})\t(\S+)$/gm)].map(([, id = '', ref = '']) => [ref, id]),
  )
  const names = [base, `refs/heads/${base}`, `refs/tags/${base}^{}`, `refs/tags/${base}`]
  const named = names.map((name) => refs.get(name)).find((id) => id !== undefined)
  const commit = named ?? (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(base) ? base : undefined)
  if (commit === undefined) throw unknownBase(`a branch, tag or whole commit id, got ${base}, which is none there`)
  return { commit, objectFormat: formatOf(commit), from: url }
}

/**
 * Fetches a base and its history into a bare repository of ours. One on this machine is asked through a view of its objects: its
 * own configuration is never read, whatever that says. Throws `Failure('Tool.Failed')` when something of it is missing.
 */
export async function fetchBase(
  git: Git,
  base: BaseCommit,
  { into, ref }: { into: string; ref: string },
): Promise<void> {
  const { commit, from } = base
  const args = [...FETCH, '--update-shallow', '--end-of-options']
  const call = { repository: into, writable: [into] }
  if (typeof from === 'string')
    return void (await runGit(git, { ...call, args: [...args, from, `${commit}:${ref}`], isRemote: true }))
  await withScratch(join(git.home, 'scratch'), async (gitDir) => {
    const shallow = join(from.commonDir, 'shallow')
    await makeGitView({ gitDir, commit, objects: join(from.commonDir, 'objects'), shallow })
    await runGit(git, { ...call, args: [...args, gitDir, `${commit}:${ref}`], readable: [gitDir, ...from.readable] })
  })
}

function unknownBase(why: string): Failure {
  return new Failure('Contract.Violated', `base: expected ${why}`)
}

function formatOf(commit: CommitId): BaseCommit['objectFormat'] {
  return commit.length === 64 ? 'sha256' : 'sha1'
}
