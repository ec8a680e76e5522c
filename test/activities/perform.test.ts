import '../support/quiet-temporal.js'
import { type defaultActivityInfo, MockActivityEnvironment } from '@temporalio/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type Attempt, perform } from '../../src/activities/perform.js'
import { Failure } from '../../src/contracts/failures.js'
import { memoryStore } from '../support/memory-store.js'

const LIMIT = { startToCloseTimeoutMs: 61_000 }

type Run = (input: { n: number }, attempt: Attempt) => Promise<{ twice: number }>

function doubling(run: Run, store = memoryStore()) {
  return perform({ name: 'double', store, input: z.object({ n: z.int() }), output: z.object({ twice: z.int() }), run })
}

function attempt(info: Partial<typeof defaultActivityInfo> = {}): MockActivityEnvironment {
  return new MockActivityEnvironment({ ...LIMIT, ...info })
}

const double: Run = ({ n }) => Promise.resolve({ twice: 2 * n })

afterEach(() => {
  vi.useRealTimers()
})

describe('an activity', () => {
  it('adopts the answer that an earlier attempt published, and does not work again', async () => {
    const store = memoryStore()
    expect(await attempt().run(doubling(double, store), { n: 4 })).toEqual({ twice: 8 })
    const again = vi.fn<Run>(double)
    expect(await attempt().run(doubling(again, store), { n: 4 })).toEqual({ twice: 8 })
    expect(again).not.toHaveBeenCalled()
    expect(await attempt().run(doubling(again, store), { n: 5 })).toEqual({ twice: 10 })
  })

  it('works anew in another run of the same workflow', async () => {
    const store = memoryStore()
    await attempt().run(doubling(double, store), { n: 4 })
    const again = vi.fn<Run>(double)
    const other = { workflowExecution: { workflowId: 'w', runId: 'another' } }
    await attempt(other).run(doubling(again, store), { n: 4 })
    expect(again).toHaveBeenCalledOnce()
  })

  it('that loses the race to publish gives the winner’s answer', async () => {
    const store = memoryStore()
    const slow: Run = async () => {
      await attempt().run(
        doubling(() => Promise.resolve({ twice: 1 }), store),
        { n: 4 },
      )
      return { twice: 2 }
    }
    expect(await attempt().run(doubling(slow, store), { n: 4 })).toEqual({ twice: 1 })
  })

  it('is told what the last heartbeat of a lost attempt said, and says it again until it knows better', async () => {
    vi.useFakeTimers()
    const env = attempt({ heartbeatDetails: { best: 7 } })
    const beats: unknown[] = []
    env.on('heartbeat', (details: unknown) => beats.push(details))
    const resumed: Run = async (_, { previous, heartbeat }) => {
      await vi.advanceTimersByTimeAsync(500)
      heartbeat({ best: 3 })
      await vi.advanceTimersByTimeAsync(500)
      return { twice: (previous as { best: number }).best }
    }
    expect(await env.run(doubling(resumed), { n: 1 })).toEqual({ twice: 7 })
    expect(beats).toEqual([{ best: 7 }, { best: 3 }, { best: 3 }])
  })

  it('keeps its own time limit below Temporal’s, so that a slow tool is told from a lost worker', async () => {
    vi.useFakeTimers()
    const caught = vi.fn<(error: unknown) => unknown>((error) => error)
    const failed = attempt().run(doubling(untilStopped), { n: 1 }).catch(caught)
    await vi.advanceTimersByTimeAsync(999)
    expect(caught).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(await failed).toMatchObject({ type: 'Tool.TimedOut', nonRetryable: true })
  })

  it('that is cancelled stops its tool and ends as cancelled, whatever the tool says', async () => {
    const env = attempt()
    const tool = vi.fn<Run>(untilStopped)
    const cancelled = env.run(doubling(tool), { n: 1 })
    await vi.waitFor(() => expect(tool).toHaveBeenCalledOnce())
    env.cancel()
    await expect(cancelled).rejects.toMatchObject({ name: 'CancelledFailure' })
  })

  it('that is cancelled before it began does not begin', async () => {
    const env = attempt()
    const tool = vi.fn<Run>(untilStopped)
    const cancelled = env.run(doubling(tool), { n: 1 })
    env.cancel()
    await expect(cancelled).rejects.toMatchObject({ name: 'CancelledFailure' })
    expect(tool).not.toHaveBeenCalled()
  })

  it.each([
    { order: { n: 'four' }, run: double, words: /double: n/u },
    { order: { n: 4 }, run: () => Promise.resolve({ twice: 0.5 }), words: /twice/u },
  ])('refuses what does not fit its contract: $words', async ({ order, run, words }) => {
    const refused = attempt().run(doubling(run), order as { n: number })
    await expect(refused).rejects.toMatchObject({ type: 'Contract.Violated', nonRetryable: true })
    await expect(refused).rejects.toThrow(words)
  })

  it('leaves to another worker what only this one lacks', async () => {
    const lacking: Run = () => Promise.reject(new Failure('Agent.Unavailable', 'not here', { isLocal: true }))
    const failed = attempt().run(doubling(lacking), { n: 1 })
    await expect(failed).rejects.toMatchObject({ type: 'Agent.Unavailable', nonRetryable: false })
  })
})

/** A tool that ends only when it is told to, in words of its own. */
const untilStopped: Run = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Failure('Tool.Failed', 'killed')), { once: true })
  })
