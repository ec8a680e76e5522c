import { condition, getExternalWorkflowHandle } from '@temporalio/workflow'
import { guideSignal, pauseSignal, resumeSignal } from './messages.js'
import type { PhaseRun } from './phase-run.js'

/** Passes on what a person says while tasks are worked on: guidance, pause and resume. Ends when its scope is cancelled. */
export async function passOnWords(phase: PhaseRun): Promise<never> {
  const { run } = phase
  let seen = { guidance: run.guidance, isPaused: run.isPaused }
  for (;;) {
    await condition(() => run.guidance !== seen.guidance || run.isPaused !== seen.isPaused)
    const before = seen
    seen = { guidance: run.guidance, isPaused: run.isPaused }
    const texts = freshTexts(before.guidance, seen.guidance)
    const pause = seen.isPaused === before.isPaused ? null : seen.isPaused ? pauseSignal : resumeSignal
    for (const childId of childrenOf(phase)) {
      const child = getExternalWorkflowHandle(childId)
      for (const text of texts) await tellChild(phase, childId, () => child.signal(guideSignal, text))
      if (pause !== null) await tellChild(phase, childId, () => child.signal(pause))
    }
  }
}

/** What was said since `before`, an earlier state of the list: texts are added at its end, and when it is full the first ones go. */
export function freshTexts(before: readonly string[], now: readonly string[]): readonly string[] {
  for (let kept = Math.min(before.length, now.length); kept > 0; kept -= 1) {
    const end = before.slice(-kept)
    if (end.every((text, index) => text === now[index])) return now.slice(kept)
  }
  return now
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
