import type { Artifact } from '../contracts/artifact.js'
import type { PlannerInput } from '../contracts/phase-roles.js'
import type { LoadedPlan, LoadPlanOrder, PhaseProject, PreparePhaseOrder } from '../contracts/phase-run.js'
import { boundGuidance } from '../rules/phase/bound-guidance.js'
import { catchMistake } from '../rules/phase/caught.js'
import { appendContext } from '../rules/phase/context-manager.js'
import { planEntries } from '../rules/phase/entries.js'
import { planQuestion } from '../rules/phase/phase-questions.js'
import { timeoutFor } from '../rules/phase/timeouts.js'
import { askRole } from './ask-role.js'
import { ask } from './ask.js'
import { type Attempted, attemptStep } from './attempt.js'
import { isStopping, openTask, type PhaseRun } from './phase-run.js'

/** Looks at the project, and plans until there is a plan that can be followed and that nobody refused. */
export async function makePlan(phase: PhaseRun): Promise<void> {
  await lookAtProject(phase)
  for (let round = 1; !isStopping(phase); round += 1) {
    const plan = round === 1 && phase.input.plan !== null ? phase.input.plan : await askPlanner(phase, round)
    const loaded = plan === null ? null : await loadPlan(phase, plan)
    if (loaded === null) return
    const answer = await approve(phase, loaded, round)
    if (answer === 'reject') phase.refused = 'plan'
    if (answer === 'approve') return takePlan(phase, loaded)
  }
}

async function lookAtProject(phase: PhaseRun): Promise<void> {
  const { run, input } = phase
  const { repository, base, quality } = input
  const order: PreparePhaseOrder = { run_id: run.state.run_id, repository, base, quality }
  const note = ({ quality: found, context }: PhaseProject) => [found.level, ...context.techStack.slice(0, 5)].join(', ')
  const prepared = await attemptStep<PreparePhaseOrder, PhaseProject>(run, {
    step: 'prepare',
    activity: 'preparePhase',
    input: order,
    note,
  })
  phase.project = valueOf(phase, prepared)
}

/** Null when there is none: the run then says why. */
async function askPlanner(phase: PhaseRun, round: number): Promise<Artifact | null> {
  const { run, input, asking, project } = phase
  if (project === null) return null
  const question: PlannerInput = {
    instruction: input.instruction,
    project: project.context,
    guidance: boundGuidance(run.guidance),
    nested_in: null,
  }
  const asked = await askRole<{ tasks: number }>(asking, {
    role: 'planner',
    row: 'plan',
    step: 'plan',
    round,
    taskId: null,
    input: question,
    workspace: { repository: input.repository, commit: input.base, protected: [] },
    limitSeconds: timeoutFor('plan', 'high') / 1000,
  })
  for (const what of asked.sentBack) phase.caught = catchMistake(phase.caught, 'plan', what)
  if (asked.status === 'passed') return asked.value.answer
  if (asked.status === 'failed') refusePlan(phase, asked.failure)
  return null
}

/** A planner whose plans could not be taken has made none; that it could not be asked is another thing. */
function refusePlan(phase: PhaseRun, failure: NonNullable<PhaseRun['failure']>): void {
  if (failure.type === 'Agent.InvalidAnswer') phase.notes.push(`the planner's last plan: ${failure.message}`)
  else phase.failure = failure
}

async function loadPlan(phase: PhaseRun, plan: Artifact): Promise<LoadedPlan | null> {
  const input: LoadPlanOrder = { plan, isolation: phase.input.isolation }
  const note = ({ tasks }: LoadedPlan) => `${tasks.length} tasks`
  return valueOf(
    phase,
    await attemptStep<LoadPlanOrder, LoadedPlan>(phase.run, { step: 'plan', activity: 'loadPlan', input, note }),
  )
}

function valueOf<T>(phase: PhaseRun, attempted: Attempted<T>): T | null {
  if (attempted.status === 'passed') return attempted.value
  if (attempted.status === 'failed') phase.failure = attempted.failure
  return null
}

async function approve({ run, input }: PhaseRun, { tasks, plan }: LoadedPlan, round: number): Promise<string> {
  run.keep([{ ...plan, name: '.openmatrix/plan.json' }])
  if (!input.approvals.includes('plan')) return 'approve'
  return await ask(run, planQuestion(tasks, round), input.answer_within_seconds)
}

function takePlan(phase: PhaseRun, { tasks, plan }: LoadedPlan): void {
  phase.plan = plan
  for (const outline of tasks) phase.tasks.set(outline.id, openTask(outline))
  phase.run.plan(tasks.map(({ id }) => id))
  const at = { task: 'TASK-000', step: 'plan', round: 1 }
  phase.memory = appendContext(phase.memory, planEntries(at, tasks.length))
}
