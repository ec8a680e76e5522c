import { makeContinueAsNewFunc, patched, proxyLocalActivities, workflowInfo } from '@temporalio/workflow'
import type * as activities from '../activities/run-activities.js'
import type { Artifact } from '../contracts/artifact.js'
import type { RunState } from '../contracts/run.js'
import { LOCAL } from './activity-options.js'
import type { CarriedPurse, Purse } from './purse.js'
import type { Run } from './run.js'

const { keepCarried, readCarried } = proxyLocalActivities<ReturnType<typeof activities.createRunActivities>>(LOCAL)

/** Second argument of a workflow that goes on in a history of its own: where all it knows lies. */
export interface Continued {
  carried: Artifact
  isPaused: boolean
}

/** What a run takes along. */
interface Carried<P> {
  state: Omit<RunState, 'report'>
  guidance: string[]
  startedAt: string
  purse: CarriedPurse
  progress: P
}

/**
 * Whether this history may be continued: false for runs that began before there was such a thing. To be asked first thing in a workflow;
 * asked later, a query that is ahead of the run could see another answer than the run itself.
 */
export function mayContinue(): boolean {
  return patched('parts')
}

/**
 * Whether a run had better go on in a new history: a worker that takes it over reads all of it within one workflow task (5 seconds), about
 * three milliseconds for an answer of an agent.
 */
export function isLong(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo()
  return historyLength >= LONG_EVENTS || continueAsNewSuggested
}

const LONG_EVENTS = 1_000

/**
 * Goes on in a new history, with everything that is known in the store. To be called when nothing is under way and no question is open.
 * Returns only when the run was aborted meanwhile.
 */
export async function continueRun(run: Run, input: unknown, { purse, progress }: Kept): Promise<void> {
  const textNow = () => {
    const state = withoutReport(run.state)
    const { guidance, startedAt } = run
    const carried: Carried<unknown> = { state, guidance, startedAt, purse: purse.carried(), progress }
    return JSON.stringify(carried)
  }
  while (run.abortReason === null) {
    const text = textNow()
    const carried = await keepCarried({ text })
    // A word of a person may have come while it was written.
    if (run.abortReason === null && textNow() === text) await goOn(run, input, { carried, isPaused: run.isPaused })
  }
}

/** The report of a jury is made by looking at it, which takes longer than all the rest. */
function withoutReport(state: RunState): Carried<unknown>['state'] {
  const { pipeline, run_id, status, phase, steps, questions, usage, artifacts, verdict, scores } = state
  return { pipeline, run_id, status, phase, steps, questions, usage, artifacts, verdict, ...(scores && { scores }) }
}

interface Kept {
  purse: Purse
  /** The pipeline's own, plain JSON. */
  progress: unknown
}

/** The memo tells what the server's own list no longer knows: what the run is called, and when it began. */
async function goOn(run: Run, input: unknown, continued: Continued): Promise<void> {
  const memo = { ...workflowInfo().memo, run_id: run.state.run_id, started_at: run.startedAt }
  await makeContinueAsNewFunc<(...args: unknown[]) => Promise<unknown>>({ memo })(input, continued)
}

/** Fetches what `continueRun` put away, and makes the run what it was. */
export async function takeUpRun<P>(run: Run, { carried }: Continued): Promise<Carried<P>> {
  let text = ''
  for (let part = await readCarried({ carried, from: 0 }); part !== '';) {
    text += part
    part = await readCarried({ carried, from: text.length })
  }
  const kept = JSON.parse(text) as Carried<P>
  Object.assign(run.state, kept.state)
  run.startedAt = kept.startedAt
  // People may have spoken already.
  run.guidance = [...kept.guidance, ...run.guidance]
  run.show()
  return kept
}
