import assert from 'node:assert'
import { test } from 'node:test'
import { calculate } from './calculate.mjs'

const REFUSED = [
  '',
  '1 +',
  '(1',
  '1)',
  '1 2',
  'a + 1',
  '2 ** 3',
  '[1]',
  '"1"',
  'true',
  '0x10',
  '1, 2',
  '`7`',
  'Math.PI',
  'globalThis',
]

for (const text of REFUSED) {
  test(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => calculate(text), Error))
}

test('runs nothing', () => {
  globalThis.touched = false
  try {
    calculate('(globalThis.touched = true, 1)')
  } catch {
    // Refused, as it should be.
  }
  assert.strictEqual(globalThis.touched, false)
})
