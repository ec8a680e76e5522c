import assert from 'node:assert'
import { test } from 'node:test'
import { calculate } from './calculate.mjs'

const EXAMPLES = [
  ['1', 1],
  ['1.5', 1.5],
  ['1 + 2', 3],
  ['2 * 3 + 4', 10],
  ['2 + 3 * 4', 14],
  ['(2 + 3) * 4', 20],
  ['-3 + 5', 2],
  ['2 * -3', -6],
  ['-(2 + 3)', -5],
  ['((((7))))', 7],
  ['10 / 4', 2.5],
  // From left to right.
  ['8 - 3 - 2', 3],
  ['8 / 4 / 2', 1],
]

for (const [text, value] of EXAMPLES) {
  test(text, () => assert.strictEqual(calculate(text), value))
}
