import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration, showDuration } from '../../src/rules/cli-duration.js'

describe('parseDuration', () => {
  it.each([
    ['0', 0],
    ['90', 90],
    ['90s', 90],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  it.each(['', 'h', '-1', '1.5h', '1w', '24 h', '1h30m', '9999999999'])('%j is no duration', (text) => {
    expect(parseDuration(text)).toBeNull()
  })
})

describe('showDuration', () => {
  it.each([
    [0, '0.0 s'],
    [9940, '9.9 s'],
    [9950, '10 s'],
    [59_400, '59 s'],
    [60_000, '1 min 00 s'],
    [3_599_400, '59 min 59 s'],
    [3_600_000, '1 h 00 min'],
  ])('%i ms are %s', (ms, text) => {
    expect(showDuration(ms)).toBe(text)
  })

  it('never shows sixty of anything, nor a negative time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 10 ** 9 }), (ms) => {
        expect(showDuration(ms)).not.toMatch(/\b60 (s|min)\b|-/)
      }),
    )
  })
})
