import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import { attemptPrefix, baseRef, branchPrefix } from '../../rules/git/ref-names.js'
import { transportOf } from '../../rules/git/repository-url.js'
import { baseOf, type BaseCommit, fetchBase } from './base-commit.js'
import type { Git } from './git.js'
import { discardRepository, makeRepository, sweepParts } from './make-repository.js'
import {
  ensureCommit,
  listRefs,
  MIRROR_OF,
  mirrorFolder,
  mirrorSuffix,
  openMirror,
  otherEnd,
  repositoryWord,
} from './mirror.js'
import { publishRef } from './publish-ref.js'
import { runGit } from './run-git.js'

export interface RunRepositoryOrder {
  git: Git
  /** Whose history the run begins with: a folder of this machine or a URL. Only ever read. */
  source: RepositoryRef
  /** Branch, tag, commit or 'HEAD'. */
  base: string
  /** The run's id. */
  run: string
  /** Default: `repos/NAME.git` in the state home (`runRepositoryFolder`). */
  into: RepositoryRef
}

export interface RunRepository {
  repository: RepositoryRef
  base: CommitId
}

/** Where the repository of a run is by default. `name` is one safe part of a path. */
export function runRepositoryFolder({ home }: Git, name: string): string {
  return join(home, 'repos', `${name}.git`)
}

/**
 * Gives a run its repository with the history up to a commit, published as `baseRef(run)`. Running it again changes nothing.
 * Throws `Failure('Contract.Violated')` when the source is no repository or has no such commit, and when the run began with
 * another one; `Failure('Tool.Failed')` when git cannot copy it.
 */
export async function createRunRepository(order: RunRepositoryOrder): Promise<RunRepository> {
  const { git, source, run, into } = order
  const base = await baseOf(git, source, order.base)
  const place = transportOf(into.url)
  if (place.kind === 'local' && !existsSync(place.path)) {
    const { objectFormat } = base
    await makeRepository(git, place.path, {
      objectFormat,
      isDurable: true,
      fill: (draft) => fetchBase(git, base, { into: draft, ref: baseRef(run) }),
    })
  }
  const began = await baseCommit(git, into, run)
  if (began === null) await publishBase(order, base)
  else if (began !== base.commit)
    throw new Failure('Contract.Violated', `the run began with commit ${began}, expected ${base.commit}`)
  return { repository: into, base: base.commit }
}

/** The commit that a run began with, or null when the repository knows no such run. */
async function baseCommit(git: Git, repository: RepositoryRef, run: string): Promise<CommitId | null> {
  const ref = baseRef(run)
  return (await listRefs(git, repository, [ref])).find((each) => each.ref === ref)?.commit ?? null
}

/** Into a repository that was there before: by way of our mirror of it. */
async function publishBase(order: RunRepositoryOrder, base: BaseCommit): Promise<void> {
  const mirror = await openMirror(order.git, order.into)
  await fetchBase(order.git, base, { into: mirror.folder, ref: baseRef(order.run) })
  await publishRef({ mirror, ref: baseRef(order.run), commit: base.commit })
  await ensureCommit(mirror, base.commit)
}

/**
 * Removes what a run left: its repository and our mirror of it when it lies in our state home, else its refs. Again and again
 * without harm.
 */
export async function removeRunRepository(git: Git, repository: RepositoryRef, run: string): Promise<void> {
  const place = transportOf(repository.url)
  if (place.kind === 'local' && dirname(place.path) === join(git.home, 'repos')) {
    await discardRepository(mirrorFolder(git, repository))
    return await discardRepository(place.path)
  }
  if (place.kind === 'remote' || existsSync(place.path)) await removeRefs(git, repository, run)
}

/** The mirror stays: other runs of the same repository may be using it. */
async function removeRefs(git: Git, repository: RepositoryRef, run: string): Promise<void> {
  const found = await listRefs(git, repository, [attemptPrefix(run), branchPrefix(run)])
  if (found.length === 0) return
  // Pushing needs a repository to push from, though deleting takes nothing from it.
  const mirror = await openMirror(git, repository)
  for (let at = 0; at < found.length; at += atOnce) {
    const refs = found.slice(at, at + atOnce).map(({ ref }) => `:${ref}`)
    const args = ['push', '--quiet', '--no-verify', '--end-of-options', repositoryWord(repository), ...refs]
    await runGit(git, { args, repository: mirror.folder, ...otherEnd(repository, 'write') })
  }
}

const atOnce = 500

/** Removes what killed processes left half made or half removed, and mirrors that are of no use any more. Returns how many. */
export async function sweepRepositories({ home }: Git): Promise<number> {
  const mirrors = join(home, 'mirrors')
  let removed = (await sweepParts(join(home, 'repos'))) + (await sweepParts(mirrors))
  const names = existsSync(mirrors) ? await readdir(mirrors) : []
  for (const name of names.filter((each) => each.endsWith('.git'))) {
    if (name.endsWith(mirrorSuffix()) && (await isMirrored(join(mirrors, name)))) continue
    await discardRepository(join(mirrors, name))
    removed++
  }
  return removed
}

/** False when what it mirrors was on this machine and is gone. */
async function isMirrored(folder: string): Promise<boolean> {
  const place = transportOf((await readFile(join(folder, MIRROR_OF), 'utf8')).trim())
  return place.kind === 'remote' || existsSync(place.path)
}
