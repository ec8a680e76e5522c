import { createHash } from 'node:crypto'
import { CancelledFailure, Context } from '@temporalio/activity'
import type { z } from 'zod'
import { Failure } from '../contracts/failures.js'
import { parseContract } from '../contracts/parse.js'
import type { ArtifactStore } from '../contracts/store.js'
import { classifyFailure } from './classify-failure.js'

export interface Attempt {
  signal: AbortSignal
  heartbeat: (details: unknown) => void
  /** Details of the previous attempt's last heartbeat, or undefined. */
  previous: unknown
}

export interface Job<I extends z.ZodType, O extends z.ZodType> {
  name: string
  store: ArtifactStore
  input: I
  output: O
  run: (input: z.infer<I>, attempt: Attempt) => Promise<z.infer<O>>
}

/** A cancellation comes with the answer to a heartbeat: as often as this, so late at most. The worker throttles them to the same pace. */
const HEARTBEAT_MS = 500
/** The step's own limit lies this far below Temporal's start-to-close, so that a slow tool is told from a lost worker. */
const MARGIN_MS = 60_000

/**
 * Makes an activity of a tool: parses what it is told and what it answers, stays alive by a timer, keeps the step's own time
 * limit, and publishes its answer once under a name made of the run and the input, so that a second attempt adopts it.
 */
export function perform<I extends z.ZodType, O extends z.ZodType>(job: Job<I, O>) {
  return async (order: z.infer<I>): Promise<z.infer<O>> => {
    try {
      const input = parseContract(job.input, order, job.name)
      const key = publishedName(job.name, input)
      const adopted = await job.store.lookup(key)
      if (adopted !== null) return parseContract(job.output, adopted, job.name)
      const answer = await withinLimit(job.name, (attempt) => job.run(input, attempt))
      return parseContract(
        job.output,
        await job.store.publish(key, parseContract(job.output, answer, job.name)),
        job.name,
      )
    } catch (error) {
      throw classifyFailure(error)
    }
  }
}

/** Only the workflow's run makes it unique: the same run asking the same thing again gets the same answer. */
function publishedName(name: string, input: unknown): string {
  const { runId } = Context.current().info.workflowExecution ?? { runId: 'no-run' }
  return `result/${runId}/${name}/${createHash('sha256').update(JSON.stringify(input)).digest('hex')}`
}

async function withinLimit<T>(name: string, run: (attempt: Attempt) => Promise<T>): Promise<T> {
  const context = Context.current()
  const limitMs = Math.max(1_000, context.info.startToCloseTimeoutMs - MARGIN_MS)
  const limit = new AbortController()
  const clock = setTimeout(() => limit.abort(), limitMs)
  let details: unknown = context.info.heartbeatDetails
  const pulse = setInterval(() => context.heartbeat(details), HEARTBEAT_MS)
  const heartbeat = (next: unknown) => context.heartbeat((details = next))
  try {
    const signal = AbortSignal.any([limit.signal, context.cancellationSignal])
    // Told to stop before it began: a tool may only listen for what is still to come.
    signal.throwIfAborted()
    return await run({ signal, heartbeat, previous: context.info.heartbeatDetails })
  } catch (error) {
    if (context.cancellationSignal.aborted) throw new CancelledFailure(`${name} was stopped`)
    if (!limit.signal.aborted) throw error
    throw new Failure('Tool.TimedOut', `${name} reached its limit of ${limitMs / 1_000} s`, { cause: error })
  } finally {
    clearTimeout(clock)
    clearInterval(pulse)
  }
}
