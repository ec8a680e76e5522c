import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReviewSuppressions } from '../../../src/contracts/review-suppressions.js'
import { matchesGlob, suppressionFinder } from '../../../src/rules/review/suppressions.js'

describe('globs', () => {
  it.each([
    ['src/a.js', 'src/a.js', true],
    ['src/*.js', 'src/a.js', true],
    ['src/*.js', 'src/b/a.js', false],
    ['src/**', 'src/b/a.js', true],
    ['src/**/a.js', 'src/a.js', true],
    ['src/**/a.js', 'src/b/c/a.js', true],
    ['**/a.js', 'a.js', true],
    ['**', 'x/y/z', true],
    ['*.js', 'src/a.js', false],
    ['src/?.js', 'src/a.js', true],
    ['src/?.js', 'src/ab.js', false],
    ['src/a.js', 'src/a_js', false],
    ['src/*a*b*', 'src/xaybz', true],
    ['src/*a*b', 'src/xayb.js', false],
    ['src', 'src/a.js', false],
  ])('%s against %s: %s', (glob, path, isMatch) => {
    expect(matchesGlob(glob, path)).toBe(isMatch)
  })

  it('are quick, however many stars they have', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), (stars) => {
        expect(
          matchesGlob(`${'**/'.repeat(stars)}${'*a'.repeat(stars)}b`, `${'x/'.repeat(30)}${'a'.repeat(200)}`),
        ).toBe(false)
      }),
    )
  })
})

describe('suppressions', () => {
  const fingerprint = 'a'.repeat(32)
  const find = suppressionFinder([
    { rule: 'no-eval', path: 'src/**', reason: 'the console' },
    { fingerprint, reason: 'looked at' },
  ])

  it('cover by rule and path, or by fingerprint', () => {
    const finding = { fingerprint: 'b'.repeat(32), rule: 'no-eval', relevantFile: 'src/a.js' }
    expect(find(finding)?.reason).toBe('the console')
    expect(find({ ...finding, relevantFile: 'lib/a.js' })).toBeNull()
    expect(find({ ...finding, rule: null })).toBeNull()
    expect(find({ ...finding, rule: null, fingerprint })?.reason).toBe('looked at')
  })

  it.each([
    ['no reason', { fingerprint }],
    ['a blank reason', { fingerprint, reason: '   ' }],
    ['a rule without a path', { rule: 'no-eval', reason: 'the console' }],
    ['a fingerprint that is none', { fingerprint: 'x', reason: 'looked at' }],
    ['a field nobody knows', { fingerprint, reason: 'looked at', until: '2030' }],
  ])('are refused with %s', (_, entry) => {
    expect(ReviewSuppressions.safeParse({ suppressions: [entry] }).success).toBe(false)
  })
})
