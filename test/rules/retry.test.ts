import { describe, expect, it } from 'vitest'
import { FAILURE_TYPES } from '../../src/contracts/failures.js'
import { decideRetry, RETRIES } from '../../src/rules/retry.js'

describe('decideRetry', () => {
  it('has a row for every failure type', () => {
    expect(Object.keys(RETRIES)).toEqual(FAILURE_TYPES)
  })

  it.each(FAILURE_TYPES)('allows %s exactly its retries', (type) => {
    const { retries, delayMs } = RETRIES[type]
    if (retries > 0) expect(decideRetry({ type, failures: retries })).toBe(delayMs)
    expect(decideRetry({ type, failures: retries + 1 })).toBeNull()
  })

  it('waits as long as the other side asks, up to ten minutes', () => {
    expect(decideRetry({ type: 'GitHub.Limited', failures: 1, retryAfterMs: 600_000 })).toBe(600_000)
    expect(decideRetry({ type: 'GitHub.Limited', failures: 1, retryAfterMs: 600_001 })).toBeNull()
  })

  it('never retries what is not on the list', () => {
    expect(decideRetry({ type: 'TypeError', failures: 1 })).toBeNull()
  })
})
