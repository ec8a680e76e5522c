import type { CodeReviewerInput, CodeVerifierInput } from '../contracts/review-roles.js'
import type {
  ContentOrder,
  ContentReply,
  GroundOrder,
  GroundReply,
  ReviewerExtract,
  SettleOrder,
  SettleReply,
  VerifierExtract,
} from '../contracts/review-run.js'
import { retriesOf, retryTask } from '../rules/review/retry-task.js'
import { decideReview, type ReviewSettled, type ReviewEvent } from '../rules/review/supervise.js'
import { askRole, type Asked } from './ask-role.js'
import { attemptCall } from './attempt-call.js'
import { attemptStep } from './attempt.js'
import { type ReviewPartRun, type ReviewRun, rowOf } from './review-run.js'
import { now, whilePaused } from './run.js'

/** An agent's own time, seconds. */
const AGENT_LIMIT = 1800

/** Seed 004's flow chart for one part: review, ground, verify, each again as `decideReview` says; false when it was cut short. */
export async function reviewPart(review: ReviewRun, part: ReviewPartRun): Promise<boolean> {
  for (;;) {
    await whilePaused(review.run)
    if (review.run.abortReason !== null || review.asking.purse.exhausted !== null) return false
    const decision = decideReview(part.events)
    if (decision.do !== 'review' && decision.do !== 'ground' && decision.do !== 'verify') {
      return await settle(review, part, decision)
    }
    const event = await STEPS[decision.do](review, part)
    if (event === null) return false
    part.events.push(event)
  }
}

const STEPS = { review: askReviewer, ground: groundAnswer, verify: askVerifier } as const

async function askReviewer(review: ReviewRun, part: ReviewPartRun): Promise<ReviewEvent | null> {
  const input: CodeReviewerInput = { task: taskFor(review, part), part: part.sha256 }
  const asked = await askRole<ReviewerExtract>(review.asking, {
    role: 'code-reviewer',
    row: rowOf(review, 'review', part),
    step: `review-${part.id}`,
    round: roundOf(part, 'review'),
    taskId: part.taskId.slice(0, 80),
    input,
    workspace: null,
    limitSeconds: AGENT_LIMIT,
    isOneAnswer: true,
    parallel: review.parts.length,
    note: ({ extract }) => (extract.is_error ? `ERROR: ${extract.message}` : `${extract.issues} raised`),
  })
  if (asked.status !== 'passed') return failed('review', asked)
  const { extract, answer } = asked.value
  if (extract.is_error) return { step: 'review', outcome: 'error', message: extract.message }
  part.answer = answer.sha256
  return { step: 'review', outcome: 'ok' }
}

async function groundAnswer(review: ReviewRun, part: ReviewPartRun): Promise<ReviewEvent | null> {
  const { run, input } = review
  if (part.answer === null) throw new Error('a review is grounded before it was made')
  const order: GroundOrder = {
    run_id: run.state.run_id,
    round: roundOf(part, 'ground'),
    working_directory: input.task.working_directory,
    part: part.sha256,
    answer: part.answer,
    sources: input.sources.sha256,
  }
  const grounded = await attemptStep<GroundOrder, GroundReply>(run, {
    step: rowOf(review, 'ground', part),
    activity: 'groundPart',
    input: order,
    note: ({ raised, kept, refuted }) => `${kept} of ${raised} raised stand, ${refuted} untrue of the code`,
  })
  if (grounded.status === 'canceled') return null
  if (grounded.status === 'failed') return { step: 'ground', outcome: 'error', message: grounded.failure.message }
  part.grounded = grounded.value.grounded
  part.issues = grounded.value.kept
  await growContent(review)
  return { step: 'ground', outcome: 'ok' }
}

/** Seed 004, 4.2: once all is reviewed, the content file has the result, also when a part is reviewed again. */
async function growContent(review: ReviewRun): Promise<void> {
  const { run, input, parts } = review
  const grounded = parts.flatMap((part) => (part.grounded === null ? [] : [part.grounded]))
  if (grounded.length < parts.length) return
  const order: ContentOrder = {
    run_id: run.state.run_id,
    task_id: input.task.task_id,
    content: input.content,
    grounded,
    at: now(),
  }
  const kept = await attemptCall<ContentOrder, ContentReply>(run, {
    step: 'content file',
    activity: 'keepContent',
    input: order,
  })
  // The merge writes it again: a failure here takes nothing from the result.
  if (kept.status === 'passed') review.content = kept.value.content
}

async function askVerifier(review: ReviewRun, part: ReviewPartRun): Promise<ReviewEvent | null> {
  if (part.grounded === null) throw new Error('a review is verified before it is grounded')
  const { sha256, grounded, issues, taskId } = part
  const input: CodeVerifierInput = { task: taskFor(review, part), part: sha256, grounded, issues }
  const asked = await askRole<VerifierExtract>(review.asking, {
    role: 'code-verifier',
    row: rowOf(review, 'verify', part),
    step: `verify-${part.id}`,
    round: roundOf(part, 'verify'),
    taskId: taskId.slice(0, 80),
    input,
    workspace: null,
    limitSeconds: AGENT_LIMIT,
    isOneAnswer: true,
    parallel: review.parts.length,
    note: ({ extract }) => VERIFIED[extract.outcome](extract),
  })
  if (asked.status !== 'passed') return failed('verify', asked)
  const { extract, answer } = asked.value
  if (extract.outcome === 'error') return { step: 'verify', outcome: 'error', message: extract.message }
  if (extract.outcome === 'too_low') {
    return { step: 'verify', outcome: 'too_low', quality_issues: extract.quality_issues }
  }
  part.verification = answer.sha256
  return { step: 'verify', outcome: 'ok' }
}

const VERIFIED = {
  ok: () => 'verified',
  error: ({ message }: VerifierExtract) => `ERROR: ${message}`,
  too_low: ({ quality_issues }: VerifierExtract) => `QUALITY_TOO_LOW: ${quality_issues.join('; ')}`,
} as const

function failed(step: 'review' | 'verify', asked: Exclude<Asked<unknown>, { status: 'passed' }>): ReviewEvent | null {
  if (asked.status !== 'failed') return null
  return { step, outcome: 'error', message: `${asked.failure.type}: ${asked.failure.message}` }
}

function taskFor({ input }: ReviewRun, { taskId, events }: ReviewPartRun): CodeReviewerInput['task'] {
  return retryTask({ ...input.task, task_id: taskId }, events)
}

/** Each call of a step is a question of its own. */
function roundOf({ events }: ReviewPartRun, step: ReviewEvent['step']): number {
  return events.filter((event) => event.step === step).length + 1
}

async function settle(review: ReviewRun, part: ReviewPartRun, decision: ReviewSettled): Promise<boolean> {
  const order: SettleOrder = {
    run_id: review.run.state.run_id,
    part: part.sha256,
    grounded: part.grounded,
    verification: decision.do === 'merge' ? part.verification : null,
    missing: missingOf(decision),
    retries: retriesOf(part.id, part.events).slice(0, 10),
  }
  const settled = await attemptCall<SettleOrder, SettleReply>(review.run, {
    step: `settle ${part.id}`,
    activity: 'settlePart',
    input: order,
  })
  if (settled.status === 'passed') part.settled = settled.value.settled
  else if (settled.status === 'failed') review.failure ??= settled.failure.message
  return settled.status === 'passed'
}

function missingOf(decision: ReviewSettled): string | null {
  if (decision.do === 'merge') return null
  const text = decision.do === 'fail' ? `the review is missing: ${decision.message}` : decision.missing
  return text.slice(0, 600)
}
