import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../../contracts/git.js'
import { transportOf } from '../../rules/git/repository-url.js'
import { codeOf } from '../process/error-code.js'
import type { Git } from './git.js'
import { ensureCommit, listRefs, type Mirror, type NamedCommit, otherEnd, repositoryWord } from './mirror.js'
import { refOnDisk } from './ref-on-disk.js'
import { firstComplaint, type GitCall, tryGit } from './run-git.js'

export interface PublishOrder {
  mirror: Mirror
  /** See `attemptRef`. */
  ref: string
  commit: CommitId
}

export interface Published {
  /** What the ref names now: ours, or that of whoever was first. It is in the mirror. */
  commit: CommitId
  isOurs: boolean
}

/**
 * Publishes a commit under a name that is created only if absent; the loser of a race adopts what is there. Throws
 * `Failure('Tool.Failed')` when the run repository cannot be reached or refuses.
 */
export async function publishRef({ mirror, ref, commit }: PublishOrder): Promise<Published> {
  const complaint = await pushExpecting(mirror, { ref, expect: null, to: commit })
  if (complaint === null) return { commit, isOurs: true }
  const winner = await lookupRef(mirror.git, mirror.repository, ref)
  if (winner === null) throw new Failure('Tool.Failed', `git push: ${ref} could not be created: ${complaint}`)
  await ensureCommit(mirror, winner)
  return { commit: winner, isOurs: winner === commit }
}

/** What a ref of a repository names, or null. */
export async function lookupRef(git: Git, repository: RepositoryRef, ref: string): Promise<CommitId | null> {
  return (await lookupRefs(git, repository, [ref]))[0]?.commit ?? null
}

/** Those of some refs that are there, in their order. */
export async function lookupRefs(
  git: Git,
  repository: RepositoryRef,
  refs: readonly string[],
): Promise<readonly NamedCommit[]> {
  const onDisk = await Promise.all(refs.map((ref) => refOnDisk(repository, ref)))
  if (onDisk.every((commit) => commit !== undefined))
    return refs.flatMap((ref, at) => (typeof onDisk[at] === 'string' ? [{ ref, commit: onDisk[at] }] : []))
  const found = await listRefs(git, repository, refs)
  return refs.flatMap((ref) => found.filter((each) => each.ref === ref))
}

export interface MoveOrder {
  mirror: Mirror
  /** See `branchRef`. */
  ref: string
  /** What it must name now; null when it must not be there. */
  expect: CommitId | null
  to: CommitId
}

/**
 * Moves a branch from one commit to another, or creates it; again without harm. Throws `Failure('Git.Conflict')` when it names
 * something else, `Failure('Tool.Failed')` when the run repository cannot be reached or refuses.
 */
export async function moveBranch({ mirror, ref, expect, to }: MoveOrder): Promise<void> {
  const complaint = await pushExpecting(mirror, { ref, expect, to })
  if (complaint === null) return
  const current = await lookupRef(mirror.git, mirror.repository, ref)
  if (current === to) return
  if (current === expect) throw new Failure('Tool.Failed', `git push: ${ref} could not be moved: ${complaint}`)
  const [was, is] = [expect, current].map((commit) => commit ?? 'absent')
  throw new Failure('Git.Conflict', `${ref}: expected ${was}, got ${is}`)
}

type Push = Pick<MoveOrder, 'ref' | 'expect' | 'to'>

/** Null when the ref names the commit now; else what the other end says. */
async function pushExpecting(mirror: Mirror, push: Push): Promise<string | null> {
  await ensureCommit(mirror, push.to)
  const { git, folder, repository } = mirror
  const refspec = `${push.to}:${push.ref}`
  const call: GitCall = {
    args: [...PUSH, `--force-with-lease=${push.ref}:${push.expect ?? ''}`, repositoryWord(repository), refspec],
    repository: folder,
    ...otherEnd(repository, 'write'),
  }
  for (let turn = 0; ; turn++) {
    const { exitCode, stdout, stderr } = await tryGit(git, call)
    if (exitCode === 0) return null
    const isLocked = /\.lock': File exists|cannot lock ref|failed to update ref/.test(`${stdout}${stderr}`)
    if (!isLocked || turn === tries) return rejection(stdout) ?? firstComplaint(stderr)
    await removeStaleLock(repository, push.ref)
    await sleep(pauseMs, undefined, { signal: git.signal })
  }
}

const PUSH = ['push', '--porcelain', '--quiet', '--no-verify']
const tries = 4
const pauseMs = 200

/** Of git's machine-readable lines: '!	FROM:TO	[rejected] (stale info)'. */
function rejection(stdout: string): string | null {
  return /^!\t\S+\t(.{1,200})$/m.exec(stdout)?.[1] ?? null
}

/** Git holds the lock of a ref for milliseconds; one that is older belongs to a git that was killed, and would stay for ever. */
async function removeStaleLock(repository: RepositoryRef, ref: string): Promise<void> {
  const place = transportOf(repository.url)
  if (place.kind === 'remote') return
  const lock = join(place.path, `${ref}.lock`)
  try {
    if (Date.now() - (await stat(lock)).mtimeMs > staleMs) await rm(lock, { force: true })
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
  }
}

const staleMs = 10_000
