import { expect, it } from 'vitest'
import type { Recommendation } from '../../../src/contracts/aggregate.js'
import { bestRound } from '../../../src/rules/refine/best-round.js'

const round = (recommendation: Recommendation, overall: number, critical = 0, high = 0) => ({
  recommendation,
  overall,
  issue_counts: { critical, high, medium: 0, low: 0 },
})

it.each<[what: string, ReturnType<typeof round>[], number | null]>([
  ['nothing before the first round', [], null],
  ['the higher score', [round('ITERATE', 70), round('ITERATE', 71), round('STALLED', 69)], 1],
  ['one that passed, however others score', [round('ITERATE', 99, 0, 9), round('PASS', 81)], 1],
  ['one without Critical before a higher score', [round('ITERATE', 60), round('ITERATE', 90, 1)], 0],
  ['among those with Critical the higher score', [round('ITERATE', 60, 1), round('ITERATE', 61, 5)], 1],
  ['fewer High issues at the same score', [round('ITERATE', 60, 0, 3), round('ITERATE', 60, 0, 2)], 1],
  ['the earlier of equals', [round('ITERATE', 60), round('ITERATE', 60)], 0],
])('the best round is %s', (_, rounds, best) => {
  expect(bestRound(rounds)).toBe(best === null ? null : rounds[best])
})
