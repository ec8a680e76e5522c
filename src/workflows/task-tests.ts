import type { MeasureTestsOrder, TestVerdict } from '../contracts/phase-quality.js'
import type { Outcome, PhaseOutcome } from '../rules/phase/outcomes.js'
import { attemptStep } from './attempt.js'
import { notDone, type Stretch, type TaskWork } from './task-work.js'

export type MeasuredTests = Stretch | { verdict: TestVerdict; outcome: PhaseOutcome<'tdd' | 'develop'> }

/** Runs the project's tests at the task's commit: RED or GREEN is what comes out here, never what an agent says. */
export async function measureTests(work: TaskWork, phase: 'tdd' | 'develop'): Promise<MeasuredTests> {
  const { order, at, run } = work
  const { run_id, repository, config, allow_unsandboxed } = order
  const measured = await attemptStep<MeasureTestsOrder, TestVerdict>(run, {
    step: phase,
    activity: 'measureTests',
    input: {
      run_id,
      repository,
      phase,
      commit: at.commit,
      before: at.phase_start,
      origin: at.base,
      config,
      of_task: at.tests.length > 0,
      red: phase === 'develop' ? at.red_tests : [],
      allow_unsandboxed,
    },
    note: ({ sentence }) => sentence,
  })
  if (measured.status === 'canceled') return { stop: 'canceled', reason: null }
  if (measured.status === 'failed') return notDone(work, `${measured.failure.type}: ${measured.failure.message}`)
  at.unsandboxed ||= !measured.value.is_sandboxed
  return { verdict: measured.value, outcome: outcomeOf(measured.value) }
}

/** The activity's word is one of its rule's, which is checked where the task moves on. */
function outcomeOf({ outcome }: TestVerdict): PhaseOutcome<'tdd' | 'develop'> {
  return outcome as Extract<Outcome, PhaseOutcome<'tdd' | 'develop'>>
}
