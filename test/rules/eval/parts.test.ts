import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { partOf } from '../../../src/rules/eval/parts.js'

const places = (count: number) => Array.from({ length: count }, (_, at) => at)

it.each([
  ['a usual jury is one part', 20, 7, 20],
  ['300 calls are one part', 50, 6, 50],
  ['one more seat makes it two', 50, 7, 42],
  ['the largest jury', 50, 25, 12],
  ['nobody who can be asked', 50, 0, 50],
])('%s', (_, candidates, seats, first) => {
  expect(partOf(places(candidates), seats)).toEqual(places(first))
})

it('parts follow each other to the end, each of at most 300 calls, or of one candidate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 700 }), (candidates, seats) => {
      let left = places(candidates)
      while (left.length > 0) {
        const part = partOf(left, seats)
        expect(part.length === 1 || part.length * seats <= 300).toBe(true)
        expect(left.slice(0, part.length)).toEqual(part)
        left = left.slice(part.length)
      }
    }),
  )
})
