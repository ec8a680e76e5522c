import { expect, it } from 'vitest'
import type { GroundedIssue } from '../../../src/rules/review/ground-issues.js'
import { mergeDuplicates } from '../../../src/rules/review/merge-duplicates.js'
import { finding } from '../../support/review-finding.js'

const issue = (said: Partial<GroundedIssue>): GroundedIssue => {
  const { fingerprint: _, evidence: __, ...rest } = finding()
  return { ...rest, ...said }
}

const subjects: Record<string, string> = { 'no-eval': 'code', 'js-eval': 'code' }
const merge = (...issues: GroundedIssue[]) =>
  mergeDuplicates(issues, (rule) => subjects[rule ?? ''] ?? null).map(({ issue: { id }, duplicates }) => [
    id,
    duplicates.map((each) => each.id),
  ])

it.each<[what: string, second: Partial<GroundedIssue>, isSame: boolean]>([
  ['the same words', {}, true],
  ['much the same words', { suggestionContent: 'eval runs what it is given! Parse it.' }, true],
  ['other words', { suggestionContent: 'This leaks memory on every call' }, false],
  ['another line', { suggestionLine: 4 }, false],
  ['another label', { label: 'Quality' }, false],
  ['another file', { relevantFile: 'b.js' }, false],
])('%s', (_, second, isSame) => {
  const merged = merge(issue({ id: 'a' }), issue({ id: 'b', ...second }))
  expect(merged).toEqual(
    isSame
      ? [['a', ['b']]]
      : [
          ['a', []],
          ['b', []],
        ],
  )
})

it('knows two rules for one subject', () => {
  const one = issue({ id: 'a', rule: 'no-eval', suggestionContent: 'this' })
  expect(merge(one, issue({ id: 'b', rule: 'js-eval', suggestionContent: 'that' }))).toEqual([['a', ['b']]])
  expect(merge(one, issue({ id: 'b', rule: 'other', suggestionContent: 'that' }))).toHaveLength(2)
})

it('keeps the worst of a group, the first of two alike', () => {
  const [a, b, c] = [issue({ id: 'a', severity: 'Low' }), issue({ id: 'b' }), issue({ id: 'c' })]
  expect(merge(a, b, c)).toEqual([['b', ['a', 'c']]])
})
