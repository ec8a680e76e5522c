import { describe, expect, it } from 'vitest'
import { AcceptanceResult } from '../../../src/contracts/phase-answers.js'
import { criteriaOf, leftToReviewer } from '../../../src/rules/phase/criteria.js'
import { DIMENSIONS, judgeReview } from '../../../src/rules/phase/judge-review.js'
import { someReview } from '../../support/phase-answers.js'

describe('a review', () => {
  it('approves when it says so and has no blockers', () => {
    expect(judgeReview(someReview(), [])).toEqual({ outcome: 'approved', blockers: [], inconsistencies: [] })
  })

  it.each<[string, Partial<AcceptanceResult>, string[]]>([
    ['approved with blockers', { blockers: ['no tests of errors'] }, ['no tests of errors']],
    ['not approved, with blockers', { approved: false, blockers: ['slow'] }, ['slow']],
    ['not approved, without', { approved: false }, ['The reviewer did not approve and named no blocker.']],
  ])('does not approve when it is %s', (_, more, blockers) => {
    expect(judgeReview(someReview(more), [])).toMatchObject({ outcome: 'not_approved', blockers })
  })

  it('takes a blank blocker for none', () => {
    expect(judgeReview(someReview({ blockers: [' '] }), []).outcome).toBe('approved')
  })

  it('must judge what nothing else could measure', () => {
    const met = someReview({ criteria: [{ criterion: 'reads well', met: true, reason: 'yes' }] })
    expect(judgeReview(met, ['reads well']).outcome).toBe('approved')
    expect(judgeReview(met, ['reads well', 'is fast']).blockers).toEqual(['Not judged: is fast'])
    const unmet = someReview({ criteria: [{ criterion: 'reads well', met: false, reason: 'one letter names' }] })
    expect(judgeReview(unmet, ['reads well'])).toEqual({
      outcome: 'not_approved',
      blockers: ['Not met: reads well (one letter names)'],
      inconsistencies: ['approved is true, yet not every criterion is said to be met'],
    })
  })

  it('is not decided by its scores, but told where they contradict each other', () => {
    expect(judgeReview(someReview({ overallScore: 1 }), [])).toEqual({
      outcome: 'approved',
      blockers: [],
      inconsistencies: ['overallScore is 1, yet the four scores lie between 7 and 9'],
    })
  })

  it.each([0, 11, 5.5])('has no score of %d', (score) => {
    for (const name of DIMENSIONS)
      expect(AcceptanceResult.safeParse({ ...someReview(), [name]: { score, issues: [] } }).success).toBe(false)
    expect(AcceptanceResult.safeParse({ ...someReview(), overallScore: score }).success).toBe(false)
  })

  it.each([1, 10])('may have a score of %d', (score) => {
    expect(AcceptanceResult.safeParse({ ...someReview(), overallScore: score }).success).toBe(true)
  })
})

describe('acceptance criteria', () => {
  it('name a test, a command or nothing', () => {
    expect(criteriaOf(['reads well', { criterion: 'adds', test: 'add > adds' }])).toEqual([
      { criterion: 'reads well' },
      { criterion: 'adds', test: 'add > adds' },
    ])
  })

  it("that were not measured are the reviewer's", () => {
    const result = (criterion: string, status: 'pass' | 'fail' | 'unmeasured') =>
      ({ criterion, status, judgedBy: 'test', details: '' }) as const
    expect(leftToReviewer([result('a', 'pass'), result('b', 'unmeasured'), result('c', 'fail')])).toEqual(['b'])
  })
})
