import { setHandler } from '@temporalio/workflow'
import type {
  MergeOrder,
  MergeReply,
  ReviewInput,
  ReviewResult,
  SplitOrder,
  SplitReply,
} from '../contracts/review-run.js'
import type { ProjectedFile, ResultDocument } from '../contracts/run.js'
import { agentFor } from '../rules/agent-choice.js'
import { contentFileName } from '../rules/review/task-id.js'
import { closeAsking, openAsking } from './ask-role.js'
import { takeAnswers } from './ask.js'
import { attemptStep } from './attempt.js'
import { type End, endRun, parseInput } from './end-run.js'
import { contentRebuiltSignal } from './messages.js'
import { reviewPart } from './review-part.js'
import { type ReviewPartRun, type ReviewRun, rowOf } from './review-run.js'
import { now, openRun, withCleanUp } from './run.js'
import { untilAborted } from './until-aborted.js'

/**
 * Seed 004: the review supervisor. Every part goes its own way through review, grounding and verification, as `decideReview` says from what
 * happened to it; what is left of all of them becomes one report.
 */
export async function codeReview(input: ReviewInput): Promise<ResultDocument> {
  let files: () => ProjectedFile[] = () => []
  const run = openRun({ pipeline: 'review', steps: ['split'], files: () => files() })
  takeAnswers(run)
  const rebuilt: string[] = []
  let noteRebuilt = (how: string): void => {
    rebuilt.push(how)
  }
  setHandler(contentRebuiltSignal, (how) => {
    // Signals are not checked by anybody before.
    if (typeof how === 'string') noteRebuilt(how.slice(0, 300))
  })
  await parseInput('review', input)
  const asking = openAsking(run, input)
  const review: ReviewRun = {
    run,
    input,
    asking,
    content: input.content,
    parts: [],
    rebuilt,
    merged: null,
    failure: null,
  }
  noteRebuilt = (how) => takeRebuilt(review, how)
  files = () => [{ path: contentFileName(input.task.task_id), artifact: review.content }]
  await withCleanUp(
    () => untilAborted(run, () => reviewAll(review)),
    async () => void (await endReview(review)),
  )
  return await endReview(review)
}

/** Told to whoever is asked next, and to the report. */
function takeRebuilt({ rebuilt, parts }: ReviewRun, how: string): void {
  rebuilt.push(how)
  for (const { events, settled } of parts) {
    if (settled === null) events.push({ step: 'content', outcome: 'rebuilt', message: how })
  }
}

async function reviewAll(review: ReviewRun): Promise<void> {
  const { run, input } = review
  run.state.phase = 'splitting'
  run.show()
  const order: SplitOrder = { run_id: run.state.run_id, sources: input.sources, part_tokens: input.part_tokens }
  const split = await attemptStep<SplitOrder, SplitReply>(run, {
    step: 'split',
    activity: 'splitSources',
    input: order,
    note: ({ parts, files, lines, left_out }) =>
      `${counted(files, 'file')}, ${counted(lines, 'line')} in ${counted(parts.length, 'part')}${left_out === 0 ? '' : `; ${left_out} left out`}`,
  })
  if (split.status === 'failed') review.failure = split.failure.message
  if (split.status !== 'passed') return
  review.parts = split.value.parts.map((sha256, index, all) => openPart(review, sha256, { index, of: all.length }))
  const rows = review.parts.flatMap((part) =>
    (['review', 'ground', 'verify'] as const).map((step) => rowOf(review, step, part)),
  )
  run.plan([...rows, 'merge'])
  run.state.phase = 'reviewing'
  run.show()
  await inParallel(review.parts, parallelFor(input), (part) => reviewPart(review, part))
  if (review.parts.every(({ settled }) => settled !== null)) await merge(review, split.value.coverage)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function openPart({ input, rebuilt }: ReviewRun, sha256: string, at: { index: number; of: number }): ReviewPartRun {
  const id = `p${at.index + 1}`
  const { task_id } = input.task
  return {
    id,
    sha256,
    taskId: at.of === 1 ? task_id : `${task_id}:${id}`,
    events: rebuilt.map((message) => ({ step: 'content', outcome: 'rebuilt', message })),
    answer: null,
    grounded: null,
    issues: 0,
    verification: null,
    settled: null,
  }
}

/** Analysers keep processors busy, agents wait on others. */
function parallelFor({ agents }: ReviewInput): number {
  return agentFor('code-reviewer', agents) === 'builtin' ? 2 : 8
}

/** At most so many at once, in their order. */
async function inParallel<T>(items: readonly T[], most: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
}

async function merge(review: ReviewRun, coverage: string): Promise<void> {
  const { run, input, parts, rebuilt } = review
  run.state.phase = 'merging'
  run.show()
  const order: MergeOrder = {
    run_id: run.state.run_id,
    task_id: input.task.task_id,
    content: review.content,
    coverage,
    settled: parts.flatMap(({ settled }) => (settled === null ? [] : [settled])),
    reviewer: agentFor('code-reviewer', input.agents),
    retries: rebuilt
      .slice(0, 20)
      .map((error) => ({ part: 'all', stage: 'content', error, action: 'recreate_content_file' })),
    at: now(),
  }
  const merged = await attemptStep<MergeOrder, MergeReply>(run, {
    step: 'merge',
    activity: 'mergeReview',
    input: order,
    note: ({ facts }) => `${counted(facts.kept, 'finding')}, ${facts.raised - facts.kept} filtered`,
  })
  if (merged.status === 'failed') review.failure = merged.failure.message
  if (merged.status !== 'passed') return
  review.merged = merged.value
  review.content = merged.value.content
}

async function endReview(review: ReviewRun): Promise<ResultDocument> {
  const { run, input, asking, parts, merged, content } = review
  run.keep([content, ...(merged === null ? [] : [merged.report])])
  const leftovers = await closeAsking(asking)
  const result: ReviewResult = {
    task_id: input.task.task_id,
    report: merged?.report ?? null,
    content,
    facts: merged?.facts ?? null,
    parts: parts.length,
    leftovers: [...leftovers],
  }
  return await endRun(run, { ...endOf(review), result })
}

function endOf({ run, asking, merged, parts, failure }: ReviewRun): Omit<End, 'result'> {
  if (merged !== null) {
    const { facts } = merged
    const hasReview = parts.some(({ grounded }) => grounded !== null)
    if (parts.length > 0 && !hasReview) return failedEnd(facts.missing[0] ?? 'no review came')
    const verdict = facts.status === 'complete' ? 'reviewed' : 'partially_reviewed'
    return { status: 'completed', verdict, reason: [facts.summary, ...facts.missing].join(' ').slice(0, 2_000) }
  }
  if (run.abortReason !== null) return { status: 'aborted', verdict: 'stopped', reason: run.abortReason }
  if (asking.purse.exhausted !== null) {
    return { status: 'budget_exhausted', verdict: 'stopped', reason: asking.purse.exhausted }
  }
  if (failure !== null) return failedEnd(failure)
  return { status: 'canceled', verdict: 'stopped', reason: 'the run was cancelled' }
}

function failedEnd(message: string): Omit<End, 'result'> {
  return { status: 'failed', verdict: 'error', reason: message, failure: { type: 'Tool.Failed', message, step: null } }
}
