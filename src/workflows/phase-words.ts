import { condition, getExternalWorkflowHandle } from '@temporalio/workflow'
import { guideSignal, pauseSignal, resumeSignal } from './messages.js'
import type { PhaseRun } from './phase-run.js'

/** Passes on what a person says while tasks are worked on: guidance, pause and resume. Ends when its scope is cancelled. */
export async function passOnWords(phase: PhaseRun): Promise<never> {
  const { run } = phase
  for (;;) {
    const { guidance, isPaused } = run
    await condition(() => run.guidance !== guidance || run.isPaused !== isPaused)
    const fresh =
      run.guidance === guidance ? [] : run.guidance.slice(Math.min(guidance.length, run.guidance.length - 1))
    for (const childId of childrenOf(phase)) {
      const child = getExternalWorkflowHandle(childId)
      for (const text of fresh) await tellChild(phase, childId, () => child.signal(guideSignal, text))
      if (run.isPaused !== isPaused)
        await tellChild(phase, childId, () => child.signal(run.isPaused ? pauseSignal : resumeSignal))
    }
  }
}

function childrenOf({ tasks }: PhaseRun): string[] {
  return [...tasks.values()].flatMap(({ childId }) => (childId === null ? [] : [childId]))
}

/** A child that has ended meanwhile needs no telling; one that is still there must hear. */
async function tellChild(phase: PhaseRun, childId: string, tell: () => Promise<void>): Promise<void> {
  try {
    await tell()
  } catch (error) {
    if (childrenOf(phase).includes(childId)) throw error
  }
}
