import type { PhaseInput } from '../contracts/phase-run.js'
import type { ResultDocument } from '../contracts/run.js'
import { projectPhase } from '../rules/phase/project-phase.js'
import { openAsking } from './ask-role.js'
import { takeAnswers } from './ask.js'
import { parseInput } from './end-run.js'
import { endPhase, judgeResult } from './phase-finish.js'
import { makePlan } from './phase-plan.js'
import { openPhase, type PhaseRun } from './phase-run.js'
import { followTasks, stopTasks } from './phase-tasks.js'
import { openRun, withCleanUp } from './run.js'

/**
 * Seed 001: from an instruction to a branch of accepted work. A plan; its tasks as child workflows, in the order of what they depend
 * on, side by side, by priority; what is accepted is merged; the gates judge the result.
 */
export async function phasePipeline(input: PhaseInput): Promise<ResultDocument> {
  let opened: PhaseRun | null = null
  const files = () => (opened === null ? [] : projectPhase(opened))
  const run = openRun({ pipeline: 'phase', steps: ['prepare', 'plan'], files })
  takeAnswers(run)
  await parseInput('phase', input)
  const phase = openPhase({ run, input, asking: openAsking(run, input) })
  opened = phase
  await withCleanUp(
    () => work(phase),
    () => endCanceled(phase),
  )
  return await endPhase(phase)
}

async function work(phase: PhaseRun): Promise<void> {
  const { state } = phase.run
  state.phase = 'planning'
  await makePlan(phase)
  if (phase.input.plan_only) return
  state.phase = 'execution'
  await followTasks(phase)
  state.phase = 'verification'
  await judgeResult(phase)
}

/** A cancelled workflow leaves its documents too; Temporal then closes it as cancelled. */
async function endCanceled(phase: PhaseRun): Promise<void> {
  phase.isCanceled = true
  await stopTasks(phase)
  await endPhase(phase)
}
