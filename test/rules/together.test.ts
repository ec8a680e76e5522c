import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { together } from '../../src/rules/together.js'

async function after<T>(ms: number, value: T): Promise<T> {
  await sleep(ms)
  if (value instanceof Error) throw value
  return value
}

it('gives what both come to', async () => {
  expect(await together(after(5, 1), after(1, 'b'))).toEqual([1, 'b'])
})

it.each([
  ['the first', { one: 0, other: 20, failing: [new Error('one'), 2] }, 'one'],
  ['the second', { one: 20, other: 0, failing: [1, new Error('other')] }, 'other'],
  ['each', { one: 20, other: 0, failing: [new Error('one'), new Error('other')] }, 'one'],
])('throws when %s fails, but not before both are done', async (_, { one, other, failing }, words) => {
  let ended = 0
  const counted = (ms: number, value: unknown) => after(ms, value).finally(() => (ended += 1))
  await expect(together(counted(one, failing[0]), counted(other, failing[1]))).rejects.toThrow(words)
  expect(ended).toBe(2)
})
