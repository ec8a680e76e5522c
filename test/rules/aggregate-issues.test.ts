import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReviewIssue } from '../../src/contracts/aggregate.js'
import { collectIssues, countIssues, mergeIssues, orderIssues } from '../../src/rules/aggregate-issues.js'
import { anyIssue, aReviewIssue, aRound } from '../support/aggregate.js'

function ordered(issues: readonly ReviewIssue[], shifts: Record<string, number> = {}): string[] {
  const found = orderIssues(collectIssues(aRound([90, 90, 90], issues)), (type) => shifts[type] ?? 0)
  return found.map(({ severity, type, file, line }) => `${severity} ${type} ${file}:${line}`)
}

const high = (type: string, file: string, line: number) => aReviewIssue({ severity: 'High', type, file, line })
const medium = (type: string, file: string, line: number) => aReviewIssue({ severity: 'Medium', type, file, line })

describe('the order of issues', () => {
  it('is by severity first', () => {
    const issues = (['Low', 'Medium', 'Critical', 'High'] as const).map((severity) => aReviewIssue({ severity }))
    expect(ordered(issues).map((line) => line.split(' ')[0])).toEqual(['Critical', 'High', 'Medium', 'Low'])
  })

  it('of High is by the number of places of the type, then by its files, then by file', () => {
    const issues = [
      high('ONCE', 'a.py', 1),
      high('TWICE_IN_ONE_FILE', 'a.py', 2),
      high('TWICE_IN_ONE_FILE', 'a.py', 3),
      high('TWICE_IN_TWO_FILES', 'b.py', 1),
      high('THRICE', 'c.py', 1),
      high('THRICE', 'a.py', 9),
      high('THRICE', 'c.py', 2),
      high('TWICE_IN_TWO_FILES', 'a.py', 4),
    ]
    expect(ordered(issues)).toEqual([
      'High THRICE a.py:9',
      'High THRICE c.py:1',
      'High THRICE c.py:2',
      'High TWICE_IN_TWO_FILES a.py:4',
      'High TWICE_IN_TWO_FILES b.py:1',
      'High TWICE_IN_ONE_FILE a.py:2',
      'High TWICE_IN_ONE_FILE a.py:3',
      'High ONCE a.py:1',
    ])
  })

  it('counts places of other severities too, and a place that two reviewers name once', () => {
    const wide = [high('WIDE', 'z.py', 1), medium('WIDE', 'z.py', 2)]
    const doubled = [high('DOUBLED', 'a.py', 1), high('DOUBLED', 'a.py', 1)]
    expect(ordered([...doubled, ...wide])[0]).toBe('High WIDE z.py:1')
  })

  it('of the other severities is by file and line, however wide they reach', () => {
    const issues = [medium('B', 'b.py', 1), medium('B', 'b.py', 2), medium('A', 'a.py', 10), medium('A', 'a.py', 9)]
    expect(ordered(issues)).toEqual(['Medium A a.py:9', 'Medium A a.py:10', 'Medium B b.py:1', 'Medium B b.py:2'])
  })

  it('lets the tech stack move a type up among its equals, never over a worse severity or a wider reach', () => {
    const issues = [medium('A', 'a.py', 1), medium('RACE', 'z.py', 1), high('A', 'a.py', 2), high('RACE', 'z.py', 2)]
    const wide = [high('WIDE', 'q.py', 1), high('WIDE', 'q.py', 2), high('WIDE', 'q.py', 3)]
    expect(ordered([...issues, ...wide], { RACE: 2 })).toEqual([
      'High WIDE q.py:1',
      'High WIDE q.py:2',
      'High WIDE q.py:3',
      'High RACE z.py:2',
      'High A a.py:2',
      'Medium RACE z.py:1',
      'Medium A a.py:1',
    ])
  })

  it('keeps every issue', () => {
    fc.assert(
      fc.property(fc.array(anyIssue, { maxLength: 30 }), (issues) => {
        expect(ordered(issues).toSorted()).toEqual(
          issues.map(({ severity, type, file, line }) => `${severity} ${type} ${file}:${line}`).toSorted(),
        )
      }),
    )
  })
})

describe('merging', () => {
  it('puts what several reviewers say of one type, file and line under the worst severity', () => {
    const place = { type: 'RACE', file: 'a.py', line: 3 }
    const input = aRound([90, 90, 90], [aReviewIssue({ ...place, severity: 'Low', description: 'quality' })])
    input.performance_result.issues = [aReviewIssue({ ...place, severity: 'High', description: 'performance' })]
    const merged = mergeIssues(orderIssues(collectIssues(input), () => 0))
    expect(merged).toEqual([
      {
        ...place,
        severity: 'High',
        says: [
          { source: 'performance-analyzer', description: 'performance', suggestion: 's' },
          { source: 'quality-checker', description: 'quality', suggestion: 's' },
        ],
      },
    ])
  })

  it.each([
    ['type', { type: 'OTHER' }],
    ['file', { file: 'other.py' }],
    ['line', { line: 2 }],
    ['lack of a line', { line: null }],
  ])('keeps apart what differs in its %s', (_, other) => {
    const issues = collectIssues(aRound([90, 90, 90], [aReviewIssue(), aReviewIssue(other)]))
    expect(mergeIssues(orderIssues(issues, () => 0))).toHaveLength(2)
  })

  it('takes a missing line and a null one for the same', () => {
    const { line: _, ...noLine } = aReviewIssue()
    const issues = collectIssues(aRound([90, 90, 90], [noLine, aReviewIssue({ line: null })]))
    expect(mergeIssues(orderIssues(issues, () => 0))).toHaveLength(1)
  })

  it('loses nobody', () => {
    fc.assert(
      fc.property(fc.array(anyIssue, { maxLength: 30 }), (issues) => {
        const merged = mergeIssues(orderIssues(collectIssues(aRound([90, 90, 90], issues)), () => 0))
        expect(merged.flatMap(({ says }) => says)).toHaveLength(issues.length)
      }),
    )
  })
})

describe('counting', () => {
  it('is of issues as given: two reviewers at one place are two', () => {
    const issues = [high('A', 'a.py', 1), high('A', 'a.py', 1), medium('A', 'a.py', 1)]
    expect(countIssues(issues)).toEqual({ critical: 0, high: 2, medium: 1, low: 0 })
  })
})
