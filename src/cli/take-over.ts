import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../contracts/failures.js'
import type { CommitId, RepositoryRef } from '../contracts/git.js'
import type { Question, RunState } from '../contracts/run.js'
import { EXIT } from '../rules/cli-exit-codes.js'
import { attemptRef } from '../rules/git/ref-names.js'
import { type TakeOver, takeOverOf } from '../rules/phase/take-over.js'
import type { Context, Output } from './command.js'
import type { FoundRun } from './find-run.js'
import { queryState } from './look-at-run.js'
import { repositoryOfRun } from './repository-of-run.js'
import { shownPath } from './run-places.js'
import { openCliGit } from './run-repository.js'
import type { Session } from './session.js'

/** A run under way that a person steps into. */
export interface Stepped {
  context: Context
  session: Session
  run: FoundRun
  state: RunState
}

/** The open question of that id when it is about a task done by hand, else null. */
export function openTakeOver(questions: readonly Question[], id: string): TakeOver | null {
  const question = questions.find((each) => each.id === id && each.answer === null)
  return question === undefined ? null : takeOverOf(question)
}

/** Throws `Failure('Contract.Violated')` when the folder that a worktree is to be made in holds something. */
export async function checkFolder({ cwd }: Context, task: string, into: string | undefined): Promise<void> {
  const { makeEmptyFolder } = await import('../tools/git/person-worktree.js')
  await makeEmptyFolder(resolve(cwd, into ?? defaultFolder(task)))
}

/** Makes a person's worktree of a task; answers nothing. */
export async function giveWorktree(
  { context, session, run }: Stepped,
  { task, commit, question }: TakeOver,
  into = defaultFolder(task),
): Promise<Output> {
  const { makePersonWorktree } = await import('../tools/git/person-worktree.js')
  const from = await workRepository(session, run)
  const branch = `gauntlet/${task}`
  const folder = resolve(context.cwd, into)
  await makePersonWorktree({ git: await openCliGit(context), from, commit, into: folder, branch })
  const shown = shownPath(context, folder)
  const next = `gauntlet answer ${run.workflowId} ${question} --from ${shown}`
  const json = { workflow_id: run.workflowId, question, task, commit, branch, folder: shown, next }
  return { exit: EXIT.good, json, text: `${task} is in ${shown}, branch ${branch}; commit there, then\n  ${next}` }
}

function defaultFolder(task: string): string {
  return `./gauntlet-${task}`
}

/** Brings what is committed in a person's folder into the run repository: the commit is the answer. */
export async function handBack(
  { context, session, run, state }: Stepped,
  { task, commit: start }: TakeOver,
  from: string,
): Promise<CommitId> {
  const { publishPersonWork } = await import('../tools/git/person-worktree.js')
  // With the commit in its name: whoever commits more after an answer that was not taken publishes it anew.
  const ref = (commit: CommitId) =>
    attemptRef({ run: state.run_id, step: `${task}-by-hand-${commit.slice(0, 12)}`, round: 1 })
  const into = await workRepository(session, run)
  return await publishPersonWork({ git: await openCliGit(context), from: resolve(context.cwd, from), into, ref, start })
}

async function workRepository(session: Session, run: FoundRun): Promise<RepositoryRef> {
  const repository = await repositoryOfRun(session, run)
  if (repository !== null) return repository
  throw new Failure('Contract.Violated', `${run.workflowId}: expected a run that works in a repository`)
}

/** After its question was answered with 'take-over', the run asks for the commit: that question, which comes a moment later. */
export async function nextTakeOver({ session, run }: Stepped, task: string): Promise<TakeOver> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const state = await queryState(session, run.handle)
    const open = (state?.questions ?? []).filter(({ answer }) => answer === null)
    const next = open.map(takeOverOf).find((each) => each?.task === task)
    if (next) return next
    await sleep(100)
  }
  throw new Failure('Tool.Failed', `${task} is yours, but the run has not said yet where it begins: gauntlet inbox`)
}

const PATIENCE_MS = 30_000
