import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scoreChart, sparkline } from '../../../src/rules/refine/score-chart.js'

const chart = {
  rows: [
    { name: 'security', least: 85, scores: [60, 75, 90] },
    { name: 'quality', least: 80, scores: [80, 79.996, 79.996] },
    { name: 'overall', least: 80, scores: [66.005, 76.4, 86] },
  ],
  verdicts: ['ITERATE', 'ITERATE', 'STALLED'],
  best: 3,
}

describe('the chart of scores', () => {
  it('has a column per round, the trend, and what is missing', () => {
    expect(scoreChart(chart, 80)).toEqual([
      'round          1       2      3*',
      'security      60      75      90  ▅▇█  >= 85',
      'quality       80      80      80  ▇▇▇  needs 80',
      'overall    66.01    76.4      86  ▆▇▇  >= 80',
      'verdict    go on   go on stalled',
    ])
  })

  it('drops the oldest rounds where the width does not do', () => {
    expect(scoreChart(chart, 46)[0]).toBe('round          2      3*  (the last 2 of 3)')
    expect(scoreChart(chart, 46)[1]).toBe('security      75      90  ▅▇█  >= 85')
  })

  it('is nothing before the first round', () => {
    expect(scoreChart({ rows: [{ name: 'security', least: 85, scores: [] }], verdicts: [], best: null }, 80)).toEqual(
      [],
    )
  })

  it('never passes the width, and never loses the last round', () => {
    const scores = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(scores, fc.integer({ min: 20, max: 200 }), (values, width) => {
        const rows = ['security', 'quality', 'performance', 'overall'].map((name) => ({
          name,
          least: 80,
          scores: values,
        }))
        const lines = scoreChart({ rows, verdicts: values.map(() => 'ITERATE'), best: 1 }, width)
        expect(Math.max(...lines.map((line) => Array.from(line).length))).toBeLessThanOrEqual(width)
        expect(lines).toHaveLength(6)
        expect(lines[0]).toContain(`${values.length}`)
      }),
    )
  })
})

it.each<[number[], string]>([
  [[0, 12.4, 12.5, 25, 37.5, 50, 62.5, 75, 87.4, 87.5, 100], '▁▁▂▃▄▅▆▇▇██'.slice(0, 11)],
  [[], ''],
])('a mark stands for 12.5 points: %j', (scores, marks) => {
  expect(sparkline(scores)).toBe(marks)
})
