import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import { transportOf } from '../../rules/git/repository-url.js'
import { codeOf } from '../process/error-code.js'
import type { Git } from './git.js'
import { makeRepository } from './make-repository.js'
import { FETCH, type GitCall, gitFailure, runGit, tryGit } from './run-git.js'

/** This worker's own copy of a run repository: a cache that can be lost at any moment. */
export interface Mirror {
  git: Git
  /** A bare repository, absolute. */
  folder: string
  repository: RepositoryRef
}

/** Opens the local mirror of a run repository, making an empty one the first time. */
export async function openMirror(git: Git, repository: RepositoryRef): Promise<Mirror> {
  const folder = mirrorFolder(git, repository)
  if (!existsSync(folder)) {
    const hasLongIds = (await listRefs(git, repository, [])).some(({ commit }) => commit.length === 64)
    await makeRepository(git, folder, {
      isDurable: false,
      objectFormat: hasLongIds ? 'sha256' : 'sha1',
      fill: (draft) => writeFile(join(draft, MIRROR_OF), `${repository.url}\n`),
    })
  }
  return { git, folder, repository }
}

/** Says in a mirror what it is a mirror of. */
export const MIRROR_OF = 'gauntlet-mirror-of'

/** Nothing in a mirror is waited for until it is on the disk, so one is only good until the machine starts anew. */
export function mirrorFolder({ home }: Git, { url }: RepositoryRef): string {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(home, 'mirrors', `${digest}${mirrorSuffix()}`)
}

/** How the names of mirrors end that were made since the machine started. */
export function mirrorSuffix(): string {
  return `-${bootId().slice(0, 8)}.git`
}

function bootId(): string {
  const file = '/proc/sys/kernel/random/boot_id'
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'any-boot'
}

/**
 * Makes sure that a commit and all it needs are in the mirror. Throws `Failure('Tool.Failed')` when the run repository cannot be
 * reached or does not have it.
 */
export async function ensureCommit(mirror: Mirror, commit: CommitId): Promise<void> {
  if (await isMarkedWhole(mirror, commit)) return
  const { git, folder, repository } = mirror
  const ref = `${wholePrefix(commit)}/${randomBytes(4).toString('hex')}`
  await runGit(git, {
    args: [...FETCH, '--update-shallow', '--end-of-options', repositoryWord(repository), `${commit}:${ref}`],
    repository: folder,
    writable: [folder],
    ...otherEnd(repository, 'read'),
  })
}

/**
 * A commit's object alone says little: a worker killed while it fetched leaves parts. So refs say what is whole, each with a name
 * of its own, since a killed git leaves the lock of the one that it was writing. Fetches tell the other end about them, too.
 */
async function isMarkedWhole({ folder }: Mirror, commit: CommitId): Promise<boolean> {
  try {
    return (await readdir(join(folder, wholePrefix(commit)))).some((name) => !name.endsWith('.lock'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

function wholePrefix(commit: CommitId): string {
  return `refs/whole/${commit}`
}

/** Says that a commit just made here is whole. Written as git writes a loose ref, which saves starting it. */
export async function markWhole({ folder }: Mirror, commit: CommitId): Promise<void> {
  const draft = join(folder, `ref-${randomBytes(8).toString('hex')}`)
  await mkdir(join(folder, wholePrefix(commit)), { recursive: true })
  await writeFile(draft, `${commit}\n`)
  await rename(draft, join(folder, wholePrefix(commit), 'own'))
}

export interface NamedCommit {
  ref: string
  commit: CommitId
}

/** The refs of a repository whose names begin so; none of them for an empty list asks for all. At most 3,000 are told. */
export async function listRefs(
  git: Git,
  repository: RepositoryRef,
  prefixes: readonly string[],
): Promise<readonly NamedCommit[]> {
  const args = ['ls-remote', '--quiet', '--refs', '--end-of-options', repositoryWord(repository)]
  const patterns = prefixes.map((prefix) => `${prefix}*`)
  const call: GitCall = { args: [...args, ...patterns], ...otherEnd(repository, 'read') }
  const outcome = await tryGit(git, call)
  if (outcome.exitCode !== 0) throw gitFailure(call, outcome)
  const lines = [...outcome.stdout.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64})\t(refs\/\S+)$/gm)]
  if (outcome.stdoutBytes > 500_000) throw new Failure('Tool.Failed', 'the repository has too many refs to list')
  const found = lines.map(([, commit = '', ref = '']) => ({ ref, commit }))
  // A pattern of git's fits behind any slash of a name.
  return found.filter(({ ref }) => prefixes.length === 0 || prefixes.some((prefix) => ref.startsWith(prefix)))
}

/** As git's argument. */
export function repositoryWord({ url }: RepositoryRef): string {
  const transport = transportOf(url)
  return transport.kind === 'local' ? transport.path : transport.url
}

/** What a call that speaks to a run repository must be given: the folder when it is on this machine, else the network. */
export function otherEnd(
  { url }: RepositoryRef,
  use: 'read' | 'write',
): Pick<GitCall, 'isRemote'> | { readable: string[] } | { writable: string[] } {
  const transport = transportOf(url)
  if (transport.kind === 'remote') return { isRemote: true }
  if (!existsSync(transport.path)) throw new Failure('Tool.Failed', 'the run repository is not there')
  return use === 'read' ? { readable: [transport.path] } : { writable: [transport.path] }
}
