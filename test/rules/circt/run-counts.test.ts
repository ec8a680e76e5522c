import { expect, it } from 'vitest'
import { isWorthAnother } from '../../../src/rules/circt/run-counts.js'

it.each([
  ['quick runs go on', 11, 59_999, true],
  ['until there were twelve', 12, 0, false],
  ['slow ones end after a minute', 3, 60_000, false],
])('%s', (_, runs, elapsedMs, expected) => {
  expect(isWorthAnother({ runs, elapsedMs })).toBe(expected)
})
