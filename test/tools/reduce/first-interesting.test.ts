import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { firstInteresting } from '../../../src/tools/reduce/first-interesting.js'
import type { Oracle } from '../../../src/tools/reduce/oracle-cache.js'
import { OracleCache } from '../../../src/tools/reduce/oracle-cache.js'

function search(oracle: Oracle, parallelism: number) {
  const cache = new OracleCache(oracle)
  return { cache, parallelism, signal: new AbortController().signal, isOver: () => false }
}

const candidates = ['a', 'b', 'c', 'd'].map((text, index) => ({ text, next: [index] }))

describe('the first interesting candidate', () => {
  it('is taken although a later one answers sooner, and later runs are abandoned', async () => {
    const abandoned: string[] = []
    const oracle: Oracle = async (text, signal) => {
      signal.addEventListener('abort', () => abandoned.push(text))
      await delay(text === 'b' ? 60 : text === 'c' ? 5 : 1)
      if (text === 'd') await delay(5000, undefined, { signal })
      return text === 'b' || text === 'c'
    }
    const found = await firstInteresting(candidates, search(oracle, 3))
    expect(found?.text).toBe('b')
    expect(abandoned).toContain('d')
  })

  it('is looked for with no more runs at once than allowed', async () => {
    let [open, most] = [0, 0]
    const oracle: Oracle = async () => {
      open += 1
      most = Math.max(most, open)
      await delay(5)
      open -= 1
      return false
    }
    expect(await firstInteresting(candidates, search(oracle, 2))).toBeNull()
    expect(most).toBe(2)
  })

  it('counts what was decided, not what was guessed', async () => {
    const order = search(async (text) => text === 'b', 4)
    await firstInteresting(candidates, order)
    expect(order.cache.spent).toBe(2)
    expect(order.cache.runs).toBe(4)
  })
})
