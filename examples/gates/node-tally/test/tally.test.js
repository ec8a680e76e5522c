import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tally, winner } from '../src/tally.js'

describe('tally', () => {
  it('counts each name', () => {
    assert.deepEqual(
      [...tally(['ann', 'bob', 'ann'])],
      [
        ['ann', 2],
        ['bob', 1],
      ],
    )
  })
})

describe('winner', () => {
  it('is the name that occurs most', () => assert.equal(winner(['ann', 'bob', 'bob']), 'bob'))
  it('is nobody on a tie', () => assert.equal(winner(['ann', 'bob']), null))
  it('is nobody without names', () => assert.equal(winner([]), null))
})
