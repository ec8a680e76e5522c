/** The supervisor of seed 004 (2, 3.1, 6): what is done next with one part of a review, from what has happened to it. */

/** How a step ended, in the order in which they happened. */
export type ReviewEvent =
  | { step: 'review'; outcome: 'ok' }
  /** The agent answered ERROR, in a wrong shape, or not at all. */
  | { step: 'review' | 'verify' | 'ground'; outcome: 'error'; message: string }
  | { step: 'ground'; outcome: 'ok' }
  | { step: 'verify'; outcome: 'ok' }
  | { step: 'verify'; outcome: 'too_low'; quality_issues: string[] }
  /** Beside the steps: the content file was lost or broken, and was made again. */
  | { step: 'content'; outcome: 'rebuilt'; message: string }

export type ReviewDecision = { do: 'review' } | { do: 'ground' } | { do: 'verify' } | ReviewSettled

/** Nothing more is done. */
export type ReviewSettled =
  | { do: 'merge' }
  /** Nothing could be reviewed: the error that stood last. */
  | { do: 'fail'; message: string }
  /** The retries are used up: what there is, and what is missing. */
  | { do: 'merge_partial'; missing: string }

/** Seed 004, 6.1: retries of one task, whatever failed. */
export const MOST_RETRIES = 3

/** Decides the next step. The same events always give the same decision; at most 3 retries, so it comes to an end. */
export function decideReview(events: readonly ReviewEvent[]): ReviewDecision {
  const last = events.findLast((event) => event.step !== 'content')
  if (last === undefined) return { do: 'review' }
  if (last.outcome === 'ok') return { do: AFTER[last.step] }
  if (countRetries(events) <= MOST_RETRIES) return { do: last.outcome === 'too_low' ? 'review' : last.step }
  return giveUp(events, last)
}

const AFTER = { review: 'ground', ground: 'verify', verify: 'merge' } as const

function giveUp(events: readonly ReviewEvent[], last: ReviewEvent): ReviewDecision {
  const hasReview = events.some(({ step, outcome }) => step === 'ground' && outcome === 'ok')
  const tries = `after ${MOST_RETRIES} retries`
  if (!hasReview) return { do: 'fail', message: `${messageOf(last)} (${tries})` }
  const isVerification = last.step === 'verify' && last.outcome === 'error'
  const missing = isVerification ? 'the verification' : 'a review of sufficient quality'
  return { do: 'merge_partial', missing: `${missing} is missing ${tries}: ${messageOf(last)}` }
}

/** What went wrong so far: each failure asks for one more try. */
export function countRetries(events: readonly ReviewEvent[]): number {
  return events.filter(isFailure).length
}

export interface RetryTold {
  attempt_number: number
  previous_errors: string[]
  recovery_actions_taken: string[]
}

/** Seed 004, 6.3: what the next agent is told of what went wrong; null while nothing did. */
export function retryContext(events: readonly ReviewEvent[]): RetryTold | null {
  const failures = events.filter((event) => isFailure(event) || event.step === 'content')
  if (failures.length === 0) return null
  return {
    attempt_number: countRetries(events) + 1,
    previous_errors: failures.map(messageOf),
    recovery_actions_taken: failures.map(recoveryAction),
  }
}

/** Requirements that a review of too low a quality adds to the next. */
export function raisedDemands(events: readonly ReviewEvent[]): string[] {
  const told = events.flatMap((event) => (event.outcome === 'too_low' ? event.quality_issues : []))
  return [...new Set(told)]
}

export function recoveryAction(event: ReviewEvent): string {
  if (event.outcome === 'rebuilt') return 'recreate_content_file'
  if (event.outcome === 'too_low') return 'raise_review_quality'
  return `repeat_${event.step}`
}

export function messageOf(event: ReviewEvent): string {
  if (event.outcome === 'too_low') return `QUALITY_TOO_LOW: ${event.quality_issues.join('; ')}`
  return 'message' in event ? event.message : ''
}

function isFailure({ outcome }: ReviewEvent): boolean {
  return outcome === 'error' || outcome === 'too_low'
}
