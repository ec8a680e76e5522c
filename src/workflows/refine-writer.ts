import type { WriterExtract, WriterInput } from '../contracts/refine-answers.js'
import type { ChangeOrder, MeasuredChange } from '../contracts/refine.js'
import type { RunFailure } from '../contracts/run.js'
import { DIMENSIONS } from '../rules/aggregate-verdict.js'
import { noteReviews, noteWritten } from '../rules/refine/refine-moves.js'
import { roundNumber } from '../rules/refine/refine-progress.js'
import { writerNote, writerNotes } from '../rules/refine/round-notes.js'
import { askRole, type Asked, type Replied } from './ask-role.js'
import { attemptCall } from './attempt-call.js'
import { type RefineRun, renewRow, REVIEWERS, stackOf, stepName } from './refine-run.js'

/** The agent's own time, seconds. */
const WRITER_LIMIT = 3600

/** A writer that touches the change's own documents is told so this many times; then it counts as failed. */
const TRESPASS_RETRIES = 2

/** The writer's turn; what it left is measured, never believed. */
export async function writeCode(loop: RefineRun): Promise<void> {
  const { run, progress } = loop
  const round = roundNumber(progress)
  run.state.phase = `round ${round} of ${progress.facts.maxRounds}`
  progress.failures = []
  let trespasses: readonly string[] = []
  for (let turn = 0; turn <= TRESPASS_RETRIES; turn++) {
    const asked = await askWriter(loop, round, trespasses)
    if (asked.status === 'exhausted') progress.facts = { ...progress.facts, isExhausted: true }
    if (asked.status === 'failed') fail(loop, asked.failure)
    if (asked.status !== 'passed') return
    trespasses = asked.value.trespasses
    if (trespasses.length === 0) return await takeCode(loop, round, asked.value)
    run.mark('code-writer', 'failed', `changed what it may not: ${trespasses.slice(0, 5).join(', ')}`)
  }
  const message = `changed what it may not, again and again: ${trespasses.slice(0, 5).join(', ')}`
  fail(loop, { type: 'Agent.InvalidAnswer', message, step: 'code-writer' })
}

function askWriter(loop: RefineRun, round: number, trespasses: readonly string[]): Promise<Asked<WriterExtract>> {
  const { asking, input, progress } = loop
  const { openspec, repository, key } = input
  renewRow(loop, 'code-writer')
  return askRole<WriterExtract>(asking, {
    role: 'code-writer',
    row: 'code-writer',
    step: stepName(progress, 'writer', round),
    round,
    taskId: key.slice(0, 80),
    input: writerInput(loop, round, trespasses),
    workspace: { repository, commit: progress.commit, protected: openspec === null ? [] : [`${openspec.folder}/`] },
    limitSeconds: WRITER_LIMIT,
  })
}

function writerInput({ run, input, progress }: RefineRun, round: number, trespasses: readonly string[]): WriterInput {
  const { rounds } = progress
  const documents = input.openspec?.documents ?? []
  return {
    round,
    tech_stack: stackOf(progress),
    documents: [
      { name: 'the requirement', artifact: input.requirement },
      ...documents.map(({ path, artifact }) => ({ name: path.slice(-200), artifact })),
    ],
    feedback: rounds.at(-1)?.feedback ?? null,
    guidance: run.guidance.slice(-8).map((text) => text.slice(0, 2_000)),
    notes: writerNotes({ rounds, trespasses, lang: input.lang }),
    lang: input.lang,
  }
}

function fail({ progress }: RefineRun, failure: RunFailure): void {
  progress.failures = [failure]
  progress.facts = noteWritten(progress.facts, 'failed')
}

/** Looks at what the writer left. Code that was judged already is not reviewed again. */
async function takeCode(loop: RefineRun, round: number, reply: Replied<WriterExtract>): Promise<void> {
  const { run, progress } = loop
  const commit = reply.commit ?? progress.commit
  const change = await measure(loop, round, commit)
  if (change === null) return
  const { changed_files, files, paths, scope, diff } = change
  const last = progress.rounds.at(-1)
  const is_unchanged = last?.commit === commit
  const changes = reply.extract.changes
  progress.work = { round, commit, changed_files, is_unchanged, changes, paths, scope, diff, reviews: {} }
  progress.commit = commit
  run.keep([scope, diff])
  run.mark('code-writer', files === 0 ? 'failed' : 'passed', writerNote(round, { reply, change }))
  if (files === 0) {
    const message = 'left nothing to review: no file differs from where the work began'
    progress.failures = [{ type: 'Agent.InvalidAnswer', message, step: 'code-writer' }]
  }
  progress.facts = noteWritten(progress.facts, files === 0 ? 'empty' : 'done')
  if (is_unchanged) takeOverReviews(loop)
}

async function measure(loop: RefineRun, round: number, commit: string): Promise<MeasuredChange | null> {
  const { run, input } = loop
  const { repository, against } = input
  const order: ChangeOrder = { run_id: run.state.run_id, round, repository, from: against, to: commit }
  const call = { step: 'code-writer', activity: 'measureChange' as const, input: order }
  const measured = await attemptCall<ChangeOrder, MeasuredChange>(run, call)
  if (measured.status === 'passed') return measured.value
  run.mark('code-writer', measured.status, measured.status === 'failed' ? measured.failure.message : null)
  if (measured.status === 'failed') fail(loop, measured.failure)
  return null
}

function takeOverReviews({ run, progress }: RefineRun): void {
  const { work } = progress
  const last = progress.rounds.at(-1)
  if (work === null || last === undefined) return
  work.reviews = { ...last.reviews }
  progress.facts = noteReviews(progress.facts, { security: 'done', quality: 'done', performance: 'done' })
  for (const dimension of DIMENSIONS) {
    run.note(REVIEWERS[dimension], `round ${work.round}: the code is as it was, and so is the review`)
  }
}
