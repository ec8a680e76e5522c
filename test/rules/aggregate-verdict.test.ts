import { describe, expect, it } from 'vitest'
import { fractionOf } from '../../src/rules/aggregate-fractions.js'
import { checkProgress } from '../../src/rules/aggregate-verdict.js'

describe('progress', () => {
  it.each<[current: number, previous: number[], points: number, isStalled: boolean, why: string]>([
    [70, [], 5, false, 'no earlier round'],
    [70, [70], 5, false, 'one earlier round is not enough'],
    [74, [66, 70], 5, true, '4 and 4'],
    [74.99, [66, 70], 5, true, '4.99 and 4'],
    [75, [66, 70], 5, false, 'a gain of exactly 5 now'],
    [74, [65, 70], 5, false, 'a gain of exactly 5 the time before'],
    [76, [66, 70], 5, false, 'a gain of 6 now'],
    [70, [70, 70], 5, true, 'no change'],
    [60, [70, 70], 5, true, 'a loss is no gain'],
    [70, [80, 60], 5, false, 'a loss and then a gain'],
    [74, [10, 66, 70], 5, true, 'only the last two rounds count'],
    [72.9, [67, 70], 3, false, 'strict: 3 the time before'],
    [72.9, [67.1, 70], 3, true, 'strict: less than 3 twice'],
    [77.9, [63, 70], 8, true, 'mvp: less than 8 twice'],
    [78, [63, 70], 8, false, 'mvp: 8 now'],
    [64.1, [58, 59.1], 5, false, 'exactly 5, which is 4.99… in binary'],
    [70, [70, 70], 0, false, 'no points asked for'],
  ])('%s after %j with %i points is stalled: %s (%s)', (current, previous, points, isStalled) => {
    expect(checkProgress(fractionOf(current), previous, points).isStalled).toBe(isStalled)
  })

  it.each([
    [5, 'improving'],
    [4.99, 'stable'],
    [0, 'stable'],
    [-4.99, 'stable'],
    [-5, 'declining'],
    [-20, 'declining'],
  ])('a change of %s points is %s', (change, trend) => {
    expect(checkProgress(fractionOf(70 + change), [70], 5).trend).toBe(trend)
  })
})
