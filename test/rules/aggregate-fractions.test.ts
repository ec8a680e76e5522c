import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTo, fractionOf, minus, roundHalfUp, weightedMean } from '../../src/rules/aggregate-fractions.js'

describe('rounding half up to two decimals', () => {
  it.each([
    [82.245, 82.25],
    [1.005, 1.01],
    [8.575, 8.58],
    [1.0049999, 1],
    [79.995, 80],
    [79.9949, 79.99],
    [0.005, 0.01],
    [0.0049, 0],
    [1e-7, 0],
    [100, 100],
    [0, 0],
    [-0.005, 0],
    [-0.006, -0.01],
    [-10.245, -10.24],
  ])('makes %s %s', (value, rounded) => {
    expect(roundHalfUp(fractionOf(value))).toBe(rounded)
  })

  it('is never further off than half a hundredth', () => {
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (value) => {
        expect(Math.abs(roundHalfUp(fractionOf(value)) - value)).toBeLessThanOrEqual(0.005 + 1e-12)
      }),
    )
  })
})

describe('a weighted mean', () => {
  it.each([
    ['the sum in binary would be 82.24499999999999', [82.1, 82.3, 82.4], [0.4, 0.35, 0.25], 82.245],
    ['equal scores', [80, 80, 80], [0.333, 0.333, 0.333], 80],
    ['equal scores and a sum above 1', [80, 80, 80], [0.334, 0.334, 0.333], 80],
    ['one weight only', [50, 90, 10], [0, 1, 0], 90],
  ])('is exact: %s', (_, values, weights, mean) => {
    const exact = weightedMean(values.map((value, at) => ({ value, weight: weights[at] ?? 0 })))
    expect(compareTo(exact, mean)).toBe(0)
  })
})

describe('a difference', () => {
  it('of 64.1 and 59.1 is exactly 5, which binary fractions miss', () => {
    expect(64.1 - 59.1).toBeLessThan(5)
    expect(compareTo(minus(fractionOf(64.1), fractionOf(59.1)), 5)).toBe(0)
  })

  it('compares as numbers do', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (left, right) => {
          expect(compareTo(fractionOf(left), right)).toBe(Math.sign(left === right ? 0 : left < right ? -1 : 1))
        },
      ),
    )
  })
})
