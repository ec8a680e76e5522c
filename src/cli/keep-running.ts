import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../contracts/failures.js'
import type { Context } from './command.js'
import type { Engine } from './engine.js'

/** How often `up` and `worker` look after what they keep, and how long they try to get it back. */
const LOOK_MS = 1000
const PATIENCE_MS = 300_000

/**
 * Keeps an engine going until Ctrl-C: a server that died is started again, a worker that broke is made again. `turn` is done once a second; what it
 * throws is said once and tried again.
 */
export async function keepRunning(context: Context, engine: Engine, turn: () => Promise<void>): Promise<void> {
  const trouble = watchTrouble(context)
  while (!context.signal.aborted) {
    try {
      if (engine.failed() !== null || trouble.isThere()) await engine.revive()
      await turn()
      trouble.over()
    } catch (error) {
      trouble.met(error)
    }
    await pause(LOOK_MS, context.signal)
  }
}

/** Says a trouble once, and rethrows it when it lasts or is the user's to mend. */
function watchTrouble({ terminal }: Context) {
  let since: number | null = null
  return {
    isThere: () => since !== null,
    over: () => {
      if (since !== null) terminal.note('going on')
      since = null
    },
    met: (error: unknown) => {
      if (error instanceof Failure && error.type === 'Contract.Violated') throw error
      if (since === null) terminal.note(`trying again: ${firstLine(error)}`)
      since ??= Date.now()
      if (Date.now() - since > PATIENCE_MS) throw error
    },
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? ''
}
