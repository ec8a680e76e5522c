import { describe, expect, it } from 'vitest'
import {
  countRetries,
  decideReview,
  MOST_RETRIES,
  raisedDemands,
  retryContext,
  type ReviewEvent,
} from '../../../src/rules/review/supervise.js'

const ok = (step: 'review' | 'ground' | 'verify'): ReviewEvent => ({ step, outcome: 'ok' })
const error = (step: 'review' | 'ground' | 'verify', message = `${step} failed`): ReviewEvent => ({
  step,
  outcome: 'error',
  message,
})
const tooLow = (...quality_issues: string[]): ReviewEvent => ({ step: 'verify', outcome: 'too_low', quality_issues })
const rebuilt: ReviewEvent = { step: 'content', outcome: 'rebuilt', message: 'the content file was gone' }

const reviewed = [ok('review'), ok('ground')]

describe('the flow chart of seed 004', () => {
  it.each<[what: string, events: ReviewEvent[], decision: unknown]>([
    ['starts with a review', [], { do: 'review' }],
    ['grounds what the reviewer said', [ok('review')], { do: 'ground' }],
    ['verifies what is grounded', reviewed, { do: 'verify' }],
    ['merges what is verified', [...reviewed, ok('verify')], { do: 'merge' }],
    ['reviews again after an error of the reviewer', [error('review')], { do: 'review' }],
    ['verifies again after an error of the verifier', [...reviewed, error('verify')], { do: 'verify' }],
    ['grounds again after an error of the engine', [ok('review'), error('ground')], { do: 'ground' }],
    ['goes back to the review when its quality is too low', [...reviewed, tooLow('vague')], { do: 'review' }],
    ['grounds the second review, too', [...reviewed, tooLow('vague'), ok('review')], { do: 'ground' }],
    ['is not turned by a content file that was made again', [...reviewed, rebuilt], { do: 'verify' }],
    [
      'fails after three retries without a review',
      [error('review'), error('review'), error('review'), error('review', 'no key')],
      { do: 'fail', message: 'no key (after 3 retries)' },
    ],
    [
      'gives a partial report when the verification never came',
      [...reviewed, ...[1, 2, 3, 4].map(() => error('verify', 'crashed'))],
      { do: 'merge_partial', missing: 'the verification is missing after 3 retries: crashed' },
    ],
    [
      'gives a partial report when the quality stays too low',
      [1, 2, 3, 4].flatMap(() => [...reviewed, tooLow('vague')]),
      {
        do: 'merge_partial',
        missing: 'a review of sufficient quality is missing after 3 retries: QUALITY_TOO_LOW: vague',
      },
    ],
    [
      'counts every kind of failure together',
      [error('review'), ok('review'), ok('ground'), error('verify'), tooLow('vague'), error('review', 'gone')],
      { do: 'merge_partial', missing: 'a review of sufficient quality is missing after 3 retries: gone' },
    ],
  ])('%s', (_, events, decision) => {
    expect(decideReview(events)).toEqual(decision)
  })
})

it('comes to an end on every path, with at most three retries, never merging what was not verified', () => {
  const outcomes = {
    review: [ok('review'), error('review')],
    ground: [ok('ground'), error('ground')],
    verify: [ok('verify'), error('verify'), tooLow('vague')],
  }
  const ends = new Map<string, number>()
  const walk = (events: ReviewEvent[]): void => {
    const decision = decideReview(events)
    expect(countRetries(events)).toBeLessThanOrEqual(MOST_RETRIES + 1)
    if (decision.do === 'review' || decision.do === 'ground' || decision.do === 'verify') {
      for (const next of outcomes[decision.do]) walk([...events, next])
      return
    }
    ends.set(decision.do, (ends.get(decision.do) ?? 0) + 1)
    const last = events.at(-1)
    expect(decision.do === 'merge').toBe(last?.step === 'verify' && last.outcome === 'ok')
    const isGrounded = events.some(({ step, outcome }) => step === 'ground' && outcome === 'ok')
    if (decision.do === 'fail') expect(isGrounded).toBe(false)
    if (decision.do === 'merge_partial') expect(isGrounded).toBe(true)
    if (decision.do !== 'merge') expect(countRetries(events)).toBe(MOST_RETRIES + 1)
  }
  walk([])
  expect([...ends.keys()].toSorted()).toEqual(['fail', 'merge', 'merge_partial'])
  expect(ends.get('merge')).toBeGreaterThan(20)
})

describe('what a retry is told', () => {
  it('is nothing while nothing failed', () => {
    expect(retryContext(reviewed)).toBeNull()
  })

  it('is the attempt, the errors so far, and what was done about them', () => {
    const events = [error('review', 'no answer'), ...reviewed, rebuilt, tooLow('vague', 'no lines')]
    expect(retryContext(events)).toEqual({
      attempt_number: 3,
      previous_errors: ['no answer', 'the content file was gone', 'QUALITY_TOO_LOW: vague; no lines'],
      recovery_actions_taken: ['repeat_review', 'recreate_content_file', 'raise_review_quality'],
    })
  })

  it('raises the demands by what the verifier found wanting, each once', () => {
    expect(raisedDemands([...reviewed, tooLow('vague', 'short'), ...reviewed, tooLow('vague')])).toEqual([
      'vague',
      'short',
    ])
  })
})
