import { CancellationScope, condition, isCancellation } from '@temporalio/workflow'
import type { CaseOrder, CirctInput } from '../contracts/circt.js'
import { type CaseProgress, noteFact, startedStep } from '../rules/circt/case-progress.js'
import { type CirctStep, phaseOf } from '../rules/circt/schedule.js'
import { STEP_OUTCOMES } from '../rules/circt/step-outcomes.js'
import type { ActivityName } from './activity-options.js'
import { attemptStep, type Attempted } from './attempt.js'
import { now, type Run } from './run.js'

/** The circt run while it is under way. */
export interface CaseRun {
  run: Run
  input: CirctInput
  progress: CaseProgress
  /** Of the steps that run: how to stop them. */
  scopes: Map<CirctStep, CancellationScope>
  /** Counts finished steps, so that the main loop knows when to look again. */
  moves: number
}

/** Starts a step in a scope of its own; when it ends, its outcome is a fact and the main loop decides what that means. */
export function launchStep(caseRun: CaseRun, step: CirctStep): void {
  const { run, progress, scopes } = caseRun
  const scope = new CancellationScope({ cancellable: true })
  scopes.set(step, scope)
  startedStep(progress, step, now())
  void scope.run(async () => {
    const outcome = await runStep(caseRun, step).catch(asCanceled)
    scopes.delete(step)
    noteFact(progress, { step, outcome, at: now() })
    run.keep(outcome.status === 'passed' ? artifactsOf(outcome.value) : [])
    caseRun.moves += 1
  })
}

/** A step cancelled while it waits for its next try never reached `attemptStep`'s own end. */
function asCanceled(error: unknown): { status: 'canceled' } {
  if (isCancellation(error)) return { status: 'canceled' }
  throw error
}

/** Cancels what runs and waits until all of it is dead: the activities end only when their processes have. */
export async function abortSteps({ scopes }: CaseRun): Promise<null> {
  for (const scope of scopes.values()) scope.cancel()
  await CancellationScope.nonCancellable(() => condition(() => scopes.size === 0))
  return null
}

export function refreshPhase({ run, progress }: CaseRun): void {
  run.state.phase = phaseOf(progress.facts)
  run.show()
}

async function runStep(caseRun: CaseRun, step: CirctStep): Promise<Attempted<unknown>> {
  const recovered = caseRun.input.recovered[step]
  if (recovered !== undefined) {
    caseRun.run.mark(step, 'running')
    caseRun.run.mark(step, 'passed', 'taken over from the folder')
    return { status: 'passed', value: recovered }
  }
  const outcome = await callStep(caseRun, { step, activity: ACTIVITY[step] })
  const needsFallback = step === 'root_cause_analysis' && outcome.status === 'failed'
  return needsFallback ? await callStep(caseRun, { step, activity: 'analyzeFromError' }) : outcome
}

const ACTIVITY = {
  reproduce: 'reproduceCrash',
  root_cause_analysis: 'analyzeRootCause',
  minimize: 'minimizeCase',
  validate: 'validateCase',
  check_duplicates: 'checkDuplicates',
  generate_issue: 'generateIssue',
} as const satisfies Record<CirctStep, ActivityName>

function callStep(caseRun: CaseRun, { step, activity }: { step: CirctStep; activity: ActivityName }) {
  const note = STEP_OUTCOMES[step].note as (value: unknown) => string
  return attemptStep<unknown, unknown>(caseRun.run, { step, activity, input: orderFor(caseRun, step), note })
}

/** What each step is told: the case, and of the steps before it only what the seed's file table says it reads. */
function orderFor({ run, input, progress }: CaseRun, step: CirctStep): unknown {
  const { outcomes } = progress
  const order: CaseOrder = { run_id: run.state.run_id, case: caseOf(input) }
  if (step === 'validate') return { ...order, minimize: outcomes.minimize }
  if (step === 'check_duplicates') {
    const { issues, repo } = input
    return { run_id: order.run_id, analysis: outcomes.root_cause_analysis ?? null, issues, repo }
  }
  if (step !== 'generate_issue') return order
  return {
    ...order,
    reproduce: outcomes.reproduce,
    root_cause_analysis: outcomes.root_cause_analysis ?? null,
    minimize: outcomes.minimize,
    validate: outcomes.validate ?? null,
    check_duplicates: outcomes.check_duplicates ?? null,
  }
}

function caseOf(input: CirctInput): CaseOrder['case'] {
  const { crash_id, language, source, error, command, interesting, allow_unsandboxed } = input
  return { crash_id, language, source, error, command, interesting, allow_unsandboxed }
}

/** Every step's answer carries its files; the contract was checked in the activity. */
function artifactsOf(value: unknown): Run['state']['artifacts'] {
  return (value as { artifacts: Run['state']['artifacts'] }).artifacts
}
