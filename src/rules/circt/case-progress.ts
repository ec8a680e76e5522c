import type { Artifact } from '../../contracts/artifact.js'
import type { CirctInput, CirctOutcomes } from '../../contracts/circt.js'
import type { ProjectedFile, ResultDocument, RunFailure, RunState } from '../../contracts/run.js'
import { renderStatus } from './case-status.js'
import { CIRCT_STEPS, type CirctDecision, type CirctFacts, type CirctStep, mayMatter } from './schedule.js'
import { STEP_OUTCOMES } from './step-outcomes.js'

export interface StepTimes {
  started_at: string
  ended_at: string | null
}

/** All that a circt run knows: enough to decide, to render status.json, and to write the result document. */
export interface CaseProgress {
  input: CirctInput
  facts: CirctFacts
  outcomes: CirctOutcomes
  times: Partial<Record<CirctStep, StepTimes>>
  failures: Partial<Record<CirctStep, RunFailure>>
  created_at: string
  updated_at: string
}

export function openCase(input: CirctInput, at: string): CaseProgress {
  return { input, facts: {}, outcomes: {}, times: {}, failures: {}, created_at: at, updated_at: at }
}

export function startedStep(progress: CaseProgress, step: CirctStep, at: string): void {
  progress.facts[step] = 'running'
  progress.times[step] = { started_at: at, ended_at: null }
  progress.updated_at = at
}

export interface StepEnd {
  step: CirctStep
  outcome: { status: 'passed'; value: unknown } | { status: 'failed'; failure: RunFailure } | { status: 'canceled' }
  at: string
}

/** Turns a finished step into the facts that decide what comes next. */
export function noteFact(progress: CaseProgress, { step, outcome, at }: StepEnd): void {
  const times = progress.times[step]
  if (times !== undefined) times.ended_at = at
  progress.updated_at = at
  const facts = progress.facts as Record<CirctStep, string>
  if (outcome.status === 'passed') {
    const read = STEP_OUTCOMES[step].fact as (value: unknown) => string
    ;(progress.outcomes as Record<CirctStep, unknown>)[step] = outcome.value
    facts[step] = read(outcome.value)
  } else {
    facts[step] = outcome.status
    if (outcome.status === 'failed') progress.failures[step] = outcome.failure
  }
}

export interface CaseEnd {
  status: ResultDocument['status']
  verdict: string
  reason: string
  result: { crash_id: string; steps: CirctOutcomes }
  failure?: RunFailure | undefined
  artifacts: Artifact[]
}

export interface EndFacts {
  /** Null when a person or Temporal stopped the run. */
  decided: CirctDecision['end']
  abortReason: string | null
  endedAt: string
}

/** The end of the run: its word, why, and what is kept. What the phased schedule would not have started is discarded. */
export function concludeCase(progress: CaseProgress, { decided, abortReason, endedAt }: EndFacts): CaseEnd {
  progress.updated_at = endedAt
  const outcomes = keptOutcomes(progress)
  const artifacts = CIRCT_STEPS.flatMap((step) => outcomes[step]?.artifacts ?? [])
  const result = { crash_id: progress.input.crash_id, steps: outcomes }
  if (decided === null) {
    const status = abortReason === null ? ('canceled' as const) : ('aborted' as const)
    return { status, verdict: status, reason: abortReason ?? 'cancelled through Temporal', result, artifacts }
  }
  const { verdict, because } = decided
  if (verdict !== 'error')
    return { status: 'completed', verdict, reason: explain(progress, because), result, artifacts }
  const failure = progress.failures[because] ?? inconclusive(progress, because)
  return { status: 'failed', verdict, reason: `${because}: ${failure.message}`, result, artifacts, failure }
}

/** The case folder as it should look now. */
export function projectCase(progress: CaseProgress, state: RunState): ProjectedFile[] {
  const isOver = state.phase === 'completed'
  const outcomes = isOver ? keptOutcomes(progress) : progress.outcomes
  const files = CIRCT_STEPS.flatMap((step) => outcomes[step]?.artifacts ?? [])
  const status = renderStatus({ ...progress, outcomes }, state)
  return [
    ...files.map((artifact) => ({ path: artifact.name, artifact })),
    { path: 'status.json', text: `${JSON.stringify(status, null, 2)}\n` },
  ]
}

function keptOutcomes(progress: CaseProgress): CirctOutcomes {
  const kept = CIRCT_STEPS.filter((step) => mayMatter(step, progress.facts))
  return Object.fromEntries(
    kept.map((step) => [step, progress.outcomes[step]]).filter(([, value]) => value !== undefined),
  )
}

function explain({ outcomes, facts }: CaseProgress, because: CirctStep): string {
  const value = outcomes[because]
  const note = STEP_OUTCOMES[because].note as (value: unknown) => string
  const overruled = facts.confirmation === 'report' ? '; the probable duplicate was overruled' : ''
  return value === undefined ? because : `${note(value)}${overruled}`
}

function inconclusive({ outcomes }: CaseProgress, step: CirctStep): RunFailure {
  const note = outcomes.reproduce?.note ?? ''
  return { type: 'Tool.Failed', message: `no conclusive answer${note && `: ${note}`}`, step }
}
