import { expect, it } from 'vitest'
import type { Dimension, Severity } from '../../../src/contracts/aggregate.js'
import { scoreByDeductions } from '../../../src/rules/refine/deductions.js'

it.each<[Dimension, Severity[], number]>([
  ['security', [], 100],
  ['security', ['Critical'], 75],
  ['security', ['High'], 85],
  ['security', ['Medium'], 95],
  ['security', ['Low'], 98],
  ['security', ['Critical', 'High', 'Medium', 'Low'], 53],
  ['security', ['Critical', 'Critical', 'Critical', 'Critical', 'Critical'], 0],
  ['quality', ['High'], 90],
  ['quality', ['Medium'], 95],
  ['quality', ['Low'], 98],
  ['performance', ['High'], 85],
  ['performance', ['Medium'], 92],
  ['performance', ['Low'], 97],
])('%s with %j is %i points', (dimension, severities, score) => {
  expect(
    scoreByDeductions(
      dimension,
      severities.map((severity) => ({ severity })),
    ),
  ).toBe(score)
})
