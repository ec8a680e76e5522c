import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../contracts/failures.js'
import type { RunProcess } from '../../contracts/process.js'

/**
 * Runs a process, and waits for the machine when it cannot start one just now (no processes or memory left): out of thousands of runs
 * one would end the whole reduction. Gives up after the last wait with what the runner threw; never tries again for how a process ended.
 */
export function patientRun(run: RunProcess, waitsMs: readonly number[] = WAITS_MS): RunProcess {
  return async (order) => {
    for (const waitMs of waitsMs) {
      try {
        return await run(order)
      } catch (error) {
        if (!(error instanceof Failure) || error.type !== 'Tool.Failed') throw error
      }
      await delay(waitMs, undefined, order.signal === undefined ? {} : { signal: order.signal }).catch(
        (error: unknown) => {
          order.signal?.throwIfAborted()
          throw error
        },
      )
    }
    return run(order)
  }
}

const WAITS_MS = [500, 1000, 2000, 4000, 8000]
