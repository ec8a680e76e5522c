import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentOrder, Workspace } from '../contracts/agent.js'
import type { Artifact } from '../contracts/artifact.js'
import { Failure } from '../contracts/failures.js'
import type { CommitId, FileChange } from '../contracts/git.js'
import { protectedChanges } from '../rules/git/protected-changes.js'
import { attemptRef } from '../rules/git/ref-names.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { addWorktree, type Worktree } from '../tools/git/add-worktree.js'
import { commitWorktree } from '../tools/git/commit-worktree.js'
import type { Git } from '../tools/git/git.js'
import { ensureCommit, openMirror } from '../tools/git/mirror.js'
import { lookupRefs, publishRef } from '../tools/git/publish-ref.js'
import { changedFiles } from '../tools/git/read-diff.js'
import { runGit } from '../tools/git/run-git.js'

/** Where an agent works: a fresh worktree, or an empty folder when there is nothing to work on. */
export interface AttemptFolder {
  cwd: string
  readable: readonly string[]
  worktree: Worktree | null
}

/** Makes what a worktree needs before anybody can work in it, such as its dependencies. */
export type PrepareWorktree = (worktree: Worktree, signal: AbortSignal) => Promise<{ readable: readonly string[] }>

export interface FolderOrder {
  order: AgentOrder
  git: Git | null
  scratch: string
  prepare: (worktree: Worktree) => Promise<{ readable: readonly string[] }>
}

/** Opens the folder of an attempt, at the edits of the previous one when its answer alone did not fit. */
export async function openAttemptFolder({ order, git, scratch, prepare }: FolderOrder): Promise<AttemptFolder> {
  const into = join(scratch, 'work')
  await mkdir(into)
  if (order.workspace === null || git === null) return { cwd: into, readable: [], worktree: null }
  const mirror = await openMirror(git, order.workspace.repository)
  const commit = order.continue_from ?? order.workspace.commit
  const worktree = await addWorktree({ mirror, commit, into })
  const { readable } = await prepare(worktree)
  return { cwd: worktree.folder, readable: [...worktree.readable, ...readable], worktree }
}

export interface FoundAttempt {
  commit: CommitId
  /** What its message tells of the record. */
  record: unknown
}

/** What an earlier try of this very call published in git, or null. */
export async function findAttempt(git: Git, order: AgentOrder, workspace: Workspace): Promise<FoundAttempt | null> {
  const [first] = await lookupRefs(git, workspace.repository, [refOf(order, 'good'), refOf(order, 'refused')])
  if (first === undefined) return null
  const mirror = await openMirror(git, workspace.repository)
  await ensureCommit(mirror, first.commit)
  const args = ['cat-file', 'commit', first.commit]
  const text = await runGit(git, { args, repository: mirror.folder })
  const told = new RegExp(`^${TRAILER}: (\\{.*\\})$`, 'm').exec(text)?.[1]
  if (told === undefined)
    throw new Failure('Contract.Violated', `${first.ref}: expected a commit of an agent's, got another one`)
  return { commit: first.commit, record: JSON.parse(told) as unknown }
}

const TRAILER = 'Gauntlet-Record'

function refOf({ run_id, step, round, attempt }: AgentOrder, kind: 'good' | 'refused'): string {
  if (kind === 'good') return attemptRef({ run: run_id, step, round })
  return attemptRef({ run: run_id, step: `${step}-${round}-refused`, round: attempt })
}

export interface PublishOrder {
  order: AgentOrder
  worktree: Worktree
  workspace: Workspace
  kind: 'good' | 'refused'
  record: Artifact
  /** ISO 8601: of the call, not of the clock, so that the same work is the same commit. */
  at: string
  redact: (text: string) => string
}

/** `unchanged`: there is nothing to publish. `refused`: it cannot be committed; the reasons are for the agent. */
export type PublishedWork =
  | { status: 'published'; commit: CommitId; changes: readonly FileChange[]; isOurs: boolean }
  | { status: 'unchanged' }
  | { status: 'refused'; reasons: readonly string[] }

/** Commits what was changed since the round began, and publishes it under the round's name unless somebody was faster. */
export async function publishWork(publish: PublishOrder): Promise<PublishedWork> {
  const { order, worktree, workspace, kind, record, at } = publish
  const { step, round, role, attempt } = order
  const subject = `${step}, round ${round}: ${role}${kind === 'refused' ? ` (answer ${attempt} did not fit)` : ''}`
  const result = await commitWorktree({
    worktree,
    parent: workspace.commit,
    message: `${subject}\n\n${TRAILER}: ${JSON.stringify(record)}`,
    stamp: { name: `Gauntlet ${role}`, email: 'gauntlet@localhost', at },
  })
  if (result.status !== 'committed') return result
  const leaks = await leaksIn(worktree, result.changes, publish.redact)
  if (leaks.length > 0) return { status: 'refused', reasons: leaks }
  const { mirror } = worktree
  const { commit, isOurs } = await publishRef({ mirror, ref: refOf(order, kind), commit: result.commit })
  return { status: 'published', commit, changes: result.changes, isOurs }
}

/** What is committed is there for good, so no file may hold a secret of the worker's. */
async function leaksIn(
  { folder }: Worktree,
  changes: readonly FileChange[],
  redact: (text: string) => string,
): Promise<string[]> {
  const leaks: string[] = []
  for (const { path, action } of changes) {
    if (action === 'delete') continue
    const text = await textOf(join(folder, path), path)
    if (redact(text) !== text) leaks.push(`${JSON.stringify(path)} holds a secret of the environment: take it out`)
  }
  return leaks
}

/** Links and what is too large for a program's text are passed over. */
async function textOf(path: string, label: string): Promise<string> {
  try {
    return (await readBounded(path, maxTextBytes, label)).toString('utf8')
  } catch (error) {
    if (error instanceof Failure && error.type === 'Case.Incomplete') return ''
    throw error
  }
}

const maxTextBytes = 4 * 1024 ** 2

export interface WorkSummary {
  changes: FileChange[]
  changed_files: number
  trespasses: string[]
}

/** What a commit changes against the beginning of the round. */
export async function changesOf(git: Git, workspace: Workspace, commit: CommitId): Promise<readonly FileChange[]> {
  if (commit === workspace.commit) return []
  const mirror = await openMirror(git, workspace.repository)
  return (await changedFiles(mirror, workspace.commit, commit)).changes
}

/** A list that fits into history, and all of it counted. */
export function summarizeWork(workspace: Workspace, changes: readonly FileChange[]): WorkSummary {
  const trespasses = protectedChanges(changes, workspace.protected).map(({ path }) => path)
  return { changes: fitting(changes), changed_files: changes.length, trespasses: trespasses.slice(0, 20) }
}

/** At most 100, and at most some ten kilobytes. */
function fitting(changes: readonly FileChange[]): FileChange[] {
  let bytes = 0
  return changes.slice(0, 100).filter((change) => (bytes += JSON.stringify(change).length) <= 10_000)
}
