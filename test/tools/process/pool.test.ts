import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ProcessOrder, ProcessOutcome, RunProcess } from '../../../src/contracts/process.js'
import { createPool } from '../../../src/tools/process/pool.js'
import { createRunner } from '../../../src/tools/process/runner.js'
import { order, shell } from './orders.js'

/** A runner whose runs end when told to. */
function heldRunner() {
  const started: string[] = []
  const held: { end: () => void; fail: () => void }[] = []
  const run: RunProcess = async (given) => {
    if (given.signal?.aborted === true) return { ...outcome, stopped: 'cancelled' }
    started.push(given.argv[1] ?? '')
    return new Promise<ProcessOutcome>((resolve, reject) => {
      held.push({ end: () => resolve(outcome), fail: () => reject(new Error('no such program')) })
    })
  }
  return { run, started, held }
}

const outcome: ProcessOutcome = {
  exitCode: 0,
  signal: null,
  stopped: null,
  stdout: '',
  stderr: '',
  stdoutBytes: 0,
  stderrBytes: 0,
  durationMs: 0,
  peakMemoryBytes: 0,
  isSandboxed: false,
  refused: [],
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

function named(name: string, signal?: AbortSignal): ProcessOrder {
  return order(['/bin/echo', name], { cwd: '/nowhere', ...(signal === undefined ? {} : { signal }) })
}

it('starts orders in the order they came, never more at once than it has slots', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(), { maxLength: 12 }), async (slots, ends) => {
      const { run, started, held } = heldRunner()
      const pool = createPool(run, slots)
      const names = ends.map((_, index) => String(index))
      const runs = names.map((name) => pool(named(name)).catch((error: Error) => error.message))
      for (const [done, pick] of ends.entries()) {
        await settle()
        expect(started).toEqual(names.slice(0, Math.min(names.length, done + slots)))
        const [ended] = held.splice(pick % held.length, 1)
        if (pick % 2 === 0) ended?.end()
        else ended?.fail()
      }
      await Promise.all(runs)
    }),
    { numRuns: 30 },
  )
})

it('lets an order that is cancelled while waiting go at once, without starting it', async () => {
  const { run, started, held } = heldRunner()
  const pool = createPool(run, 1)
  const controller = new AbortController()
  const first = pool(named('first'))
  const second = pool(named('second', controller.signal))
  const third = pool(named('third'))
  await settle()
  controller.abort()
  expect(await second).toMatchObject({ stopped: 'cancelled' })
  expect(started).toEqual(['first'])
  held.shift()?.end()
  await first
  await settle()
  expect(started).toEqual(['first', 'third'])
  held.shift()?.end()
  await third
})

it('bounds real programs of all its callers together', async () => {
  const pool = createPool(createRunner({ sandbox: 'none' }), 2)
  const startedAt = performance.now()
  await Promise.all([1, 2, 3, 4].map(() => pool(shell('sleep 0.2'))))
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(390)
})

it.each([0, -1, 1.5, NaN])('cannot have %s slots', (slots) => {
  expect(() => createPool(heldRunner().run, slots)).toThrow(RangeError)
})
