import type { CirctOutcomes } from '../../contracts/circt.js'
import type { RunState } from '../../contracts/run.js'
import type { CaseProgress } from './case-progress.js'
import { CIRCT_STEPS, type CirctStep, decideCirct, mayMatter, phaseOf } from './schedule.js'

/** `status.json` of the case folder: seed 002's table of states and phases, and what a later recovery needs. */
export function renderStatus(progress: CaseProgress, state: RunState): Record<string, unknown> {
  const { input, outcomes } = progress
  return {
    crash_id: input.crash_id,
    run_id: state.run_id,
    status: statusOf(progress, state),
    phase: state.phase === 'completed' || state.phase === 'initializing' ? state.phase : phaseOf(progress.facts),
    created_at: progress.created_at,
    updated_at: progress.updated_at,
    parallel_mode: input.schedule !== 'serial',
    input: {
      source_file: input.names.source_file,
      error_file: input.names.error_file,
      command: input.command,
      digest: input.input_digest,
    },
    parallel_tasks: Object.fromEntries(startedSteps(progress).map((step) => [step, taskOf(progress, step)])),
    phases: phasesOf(progress, state),
    steps: Object.fromEntries(CIRCT_STEPS.map((step) => [step, stepOf(outcomes, step)])),
    summary: summaryOf(outcomes),
    questions: state.questions.filter((question) => question.answer === null).map(({ id, title }) => ({ id, title })),
    error: errorOf(progress),
  }
}

/** Seed 002's column "状态": processing in phases 1 and 2, generating in phase 3, then the verdict. */
function statusOf(progress: CaseProgress, state: RunState): string {
  if (state.phase === 'initializing') return 'pending'
  if (state.phase === 'completed') return state.verdict ?? 'error'
  return phaseOf(progress.facts) === 'phase3_final' ? 'generating' : 'processing'
}

function startedSteps({ facts, times }: CaseProgress): CirctStep[] {
  return CIRCT_STEPS.filter((step) => times[step] !== undefined && mayMatter(step, facts))
}

function taskOf({ facts, times, failures }: CaseProgress, step: CirctStep): Record<string, unknown> {
  const fact = facts[step]
  const status = fact === 'running' || fact === 'failed' || fact === 'canceled' ? fact : 'completed'
  const failure = failures[step]
  return { status, ...times[step], ...(failure === undefined ? {} : { error: `${failure.type}: ${failure.message}` }) }
}

function phasesOf(progress: CaseProgress, state: RunState): Record<string, string> {
  const current = PHASES.findIndex(({ phase }) => phase === phaseOf(progress.facts))
  const words = PHASES.map(({ steps }, index) => {
    if (state.phase === 'completed') return endOf(progress, steps)
    return index < current ? 'completed' : index === current ? 'running' : 'pending'
  })
  return Object.fromEntries(words.map((word, index) => [`phase${index + 1}`, word]))
}

const PHASES: readonly { phase: ReturnType<typeof phaseOf>; steps: readonly CirctStep[] }[] = [
  { phase: 'phase1_parallel', steps: ['reproduce', 'root_cause_analysis'] },
  { phase: 'phase2_parallel', steps: ['minimize', 'validate', 'check_duplicates'] },
  { phase: 'phase3_final', steps: ['generate_issue'] },
]

/** What became of a phase once the run is over. */
function endOf(progress: CaseProgress, steps: readonly CirctStep[]): string {
  const facts = startedSteps(progress).flatMap((step) => (steps.includes(step) ? [progress.facts[step]] : []))
  if (facts.length === 0) return 'skipped'
  if (facts.includes('canceled')) return 'canceled'
  const { end } = decideCirct(progress.input.schedule, progress.facts)
  return end?.verdict === 'error' && steps.includes(end.because) ? 'failed' : 'completed'
}

/** A step as later runs read it: done or not, its extract (see `CirctOutcomes`) with the hash of every file it wrote. */
function stepOf(outcomes: CirctOutcomes, step: CirctStep): Record<string, unknown> {
  const value = outcomes[step]
  if (value === undefined) return { completed: false }
  const { artifacts, ...extract } = value
  return { completed: true, ...extract, files: artifacts.map((artifact) => artifact.name), artifacts }
}

function summaryOf(outcomes: CirctOutcomes): Record<string, unknown> {
  const duplicates = outcomes.check_duplicates
  const found = {
    reproduced: outcomes.reproduce?.reproduced,
    validation_result: outcomes.validate?.result,
    reduction_percent: outcomes.minimize?.reduction_percent,
    duplicate_check: duplicates?.action,
    top_duplicate_issue: duplicates?.top_issue?.number,
    top_duplicate_score: duplicates?.top_score,
  }
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, value ?? null]))
}

function errorOf({ failures }: CaseProgress): string | null {
  const [first] = CIRCT_STEPS.flatMap((step) => failures[step] ?? [])
  return first === undefined ? null : `${first.step ?? 'run'}: ${first.type}: ${first.message}`
}
