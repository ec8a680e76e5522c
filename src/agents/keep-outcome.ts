import type { AgentFailureDetails, AgentReply, Workspace } from '../contracts/agent.js'
import { Failure } from '../contracts/failures.js'
import type { CommitId, FileChange } from '../contracts/git.js'
import type { Git } from '../tools/git/git.js'
import type { Ask } from './ask-call.js'
import {
  type AskRecord,
  digestOf,
  publishRecord,
  readRecord,
  storeAnswer,
  storeRecord,
  storeTranscript,
} from './ask-record.js'
import { type AttemptFolder, changesOf, findAttempt, publishWork, summarizeWork } from './attempt-folder.js'
import { type Judged, refusal } from './judge-answer.js'
import type { Answered } from './put-question.js'
import type { Transcript } from './transcript.js'

export interface Outcome {
  answered: Answered
  folder: AttemptFolder
  transcript: Transcript
  redact: (text: string) => string
  isSandboxed: boolean
}

/**
 * Keeps what a call came to where a second try finds it, edits first, and makes the reply of it. What somebody else kept for the
 * same call meanwhile is adopted.
 */
export async function keepOutcome(asked: Ask, outcome: Outcome): Promise<AgentReply> {
  const { answered, folder } = outcome
  const kept = await keepAs(asked, outcome, answered.judged)
  if (kept.status !== 'refused') return kept.reply
  // What cannot be committed is no answer; nothing of it is kept but the reasons.
  const judged = refusal(kept.reasons, outcome.redact)
  const again = await keepAs(asked, { ...outcome, folder: { ...folder, worktree: null } }, judged)
  if (again.status === 'refused') throw new Error('an outcome without edits was refused')
  return again.reply
}

type Kept = { status: 'kept'; reply: AgentReply } | { status: 'refused'; reasons: readonly string[] }

async function keepAs(asked: Ask, outcome: Outcome, judged: Judged): Promise<Kept> {
  const { setup, order, git, workspace } = asked
  const record = await recordOf(asked, outcome, judged)
  const artifact = await storeRecord(setup.store, order, record)
  const { worktree } = outcome.folder
  if (git !== null && workspace !== null && worktree !== null) {
    const kind = judged.status
    const { redact } = outcome
    const work = await publishWork({ order, worktree, workspace, kind, record: artifact, at: asked.call.at, redact })
    if (work.status === 'refused') return work
    if (work.status === 'published') {
      const { commit, changes } = work
      if (work.isOurs) return { status: 'kept', reply: await replyFrom(asked, { record, commit, changes }) }
      return { status: 'kept', reply: await replyOfFaster(asked, git, workspace) }
    }
  }
  const told = await publishRecord(setup.store, order, artifact)
  return {
    status: 'kept',
    reply: await replyFrom(asked, { record: await readRecord(setup.store, order, told), commit: null }),
  }
}

async function replyOfFaster(asked: Ask, git: Git, workspace: Workspace): Promise<AgentReply> {
  const found = await findAttempt(git, asked.order, workspace)
  if (found === null) throw new Failure('Tool.Failed', 'what was published for this call is gone')
  const record = await readRecord(asked.setup.store, asked.order, found.record)
  return await replyFrom(asked, { record, commit: found.commit })
}

async function recordOf(asked: Ask, outcome: Outcome, judged: Judged): Promise<AskRecord> {
  const { setup, order } = asked
  const { answered, transcript, isSandboxed } = outcome
  if (judged.status === 'refused')
    transcript.record({ kind: 'note', text: 'the answer was refused', complaints: judged.complaints })
  const isGood = judged.status === 'good'
  return {
    question: digestOf(order),
    complaints: isGood ? [] : [...judged.complaints],
    extract: isGood ? judged.extract : null,
    answer: isGood ? await storeAnswer(setup.store, order, judged.answer) : null,
    transcript: await storeTranscript(setup.store, order, transcript.text()),
    usage: answered.usage,
    is_sandboxed: isSandboxed,
  }
}

export interface KeptOutcome {
  record: AskRecord
  /** Null when nothing was changed. */
  commit: CommitId | null
  /** When they are known; else git is asked. */
  changes?: readonly FileChange[]
}

/** The reply that a record stands for. Throws `Failure('Agent.InvalidAnswer')` when the answer was refused. */
export async function replyFrom({ git, workspace }: Ask, kept: KeptOutcome): Promise<AgentReply> {
  const { record, commit } = kept
  const { extract, answer, transcript, usage, is_sandboxed, complaints } = record
  if (answer === null) {
    const details: AgentFailureDetails = { complaints, usage, commit, transcript }
    throw new Failure('Agent.InvalidAnswer', complaints[0] ?? 'the answer does not fit', { details })
  }
  const reply = { extract, answer, transcript, usage, is_sandboxed }
  if (git === null || workspace === null)
    return { ...reply, commit: null, changes: [], changed_files: 0, trespasses: [] }
  const at = commit ?? workspace.commit
  const changes = kept.changes ?? (await changesOf(git, workspace, at))
  return { ...reply, commit: at, ...summarizeWork(workspace, changes) }
}
