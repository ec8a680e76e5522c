import type { ProcessOutcome, RunProcess } from '../../contracts/process.js'

/**
 * Lets at most `slots` orders run at once, first come, first served, for all callers together. An order cancelled while it
 * waits leaves the queue at once, as `stopped: 'cancelled'`.
 */
export function createPool(run: RunProcess, slots: number): RunProcess {
  const queue = createQueue(slots)
  return async (order): Promise<ProcessOutcome> => {
    // A cancelled order goes to the runner all the same: it starts nothing and says so.
    if (!(await queue.turn(order.signal))) return run(order)
    try {
      return await run(order)
    } finally {
      queue.release()
    }
  }
}

function createQueue(slots: number) {
  if (!Number.isInteger(slots) || slots < 1) throw new RangeError(`a pool needs at least one slot, got ${slots}`)
  const waiting = new Set<() => void>()
  let free = slots

  function wait(signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        waiting.delete(take)
        resolve(false)
      }
      const take = () => {
        waiting.delete(take)
        signal?.removeEventListener('abort', leave)
        resolve(true)
      }
      waiting.add(take)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Resolves when it is this order's turn (true), or when it was cancelled before that (false). */
  async function turn(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return false
    if (free === 0) return wait(signal)
    free--
    return true
  }

  /** Hands the slot to whoever waits longest. */
  function release(): void {
    const [next] = waiting
    if (next === undefined) free++
    else next()
  }

  return { turn, release }
}
