import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Failure } from '../../../src/contracts/failures.js'
import { BestKeeper, bestOfPrevious } from '../../../src/tools/reduce/best-keeper.js'
import { memoryStore } from '../../support/memory-store.js'

describe('the best so far', () => {
  it('is in the store before a heartbeat names it, and a later attempt finds it', async () => {
    const store = memoryStore()
    const beats: unknown[] = []
    const keeper = new BestKeeper({ store, previous: undefined, heartbeat: (details) => beats.push(details) }, 'bug.sv')
    keeper.start()
    keeper.offer({ text: 'a\n', stage: 'reference', runs: 1 })
    keeper.offer({ text: 'b\n\nc\n', stage: 'lines', runs: 7 })
    await delay(700)
    await keeper.stop()
    expect(beats[0]).toBeNull()
    expect(beats.at(-1)).toMatchObject({ lines: 2, stage: 'lines', runs: 7 })
    expect(await bestOfPrevious({ store, previous: beats.at(-1) }, 'bug.sv')).toEqual({ text: 'b\n\nc\n', runs: 7 })
  })

  it.each([[undefined], [null], [{ sha256: 'short' }], ['text']])(
    'is nothing for details like %j',
    async (previous) => {
      expect(await bestOfPrevious({ store: memoryStore(), previous }, 'bug.sv')).toBeNull()
    },
  )

  it('of an earlier attempt is passed on until there is a better one', async () => {
    const previous = { sha256: 'a'.repeat(64), lines: 4, stage: 'blocks', runs: 9 }
    const beats: unknown[] = []
    const keeper = new BestKeeper(
      { store: memoryStore(), previous, heartbeat: (details) => beats.push(details) },
      'bug.sv',
    )
    keeper.start()
    await keeper.stop()
    expect(beats[0]).toEqual(previous)
  })

  it('is nothing when the store has lost it', async () => {
    const previous = { sha256: 'a'.repeat(64), lines: 1, stage: 's', runs: 1 }
    const store = { ...memoryStore(), get: () => Promise.reject(new Failure('Contract.Violated', 'gone')) }
    expect(await bestOfPrevious({ store, previous }, 'bug.sv')).toBeNull()
  })

  it('that cannot be stored fails the step at its end', async () => {
    const store = { ...memoryStore(), put: () => Promise.reject(new Failure('Tool.Failed', 'disk full')) }
    const keeper = new BestKeeper({ store, previous: undefined, heartbeat: () => undefined }, 'bug.sv')
    keeper.start()
    keeper.offer({ text: 'a', stage: 's', runs: 0 })
    await expect(keeper.stop()).rejects.toThrow('disk full')
  })
})
