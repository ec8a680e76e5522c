import {
  CancellationScope,
  condition,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { Artifact } from '../contracts/artifact.js'
import type { Pipeline, ProjectedFile, Question, ResultDocument, RunState, Step, StepStatus } from '../contracts/run.js'
import { describeRun } from '../rules/run-details.js'
import { abortSignal, guideSignal, pauseSignal, resumeSignal, stateQuery, viewQuery } from './messages.js'

/** What a pipeline tells of itself. */
export interface RunSetup {
  pipeline: Pipeline
  steps: readonly string[]
  /** The user's folder for a state, rendered by a rule; null until the input is known to be good. */
  files: (state: RunState) => ProjectedFile[]
  /** True for a child workflow: part of its parent's run, so that no list of runs shows it. */
  isPart?: boolean
  /** For a run that goes on where an earlier history of it ended, paused. */
  isPaused?: boolean
}

/** One run: its visible state, and the ways a person may step in. Made once, first thing in a workflow. */
export interface Run {
  state: RunState
  guidance: string[]
  isPaused: boolean
  /** Reason given with `abort`; null while nobody asked for it. */
  abortReason: string | null
  result: ResultDocument | null
  startedAt: string
  /** Puts further steps on the list, pending, for pipelines whose steps are only known on the way; known names stay as they are. */
  plan(names: readonly string[]): void
  /** Moves a step on and shows it. */
  mark(name: string, status: StepStatus, note?: string | null): void
  /** One line for a person about a step as it is. */
  note(name: string, text: string): void
  keep(artifacts: readonly Artifact[]): void
  /** The user's folder as it should look now. */
  files(): ProjectedFile[]
  /** Call after changing `state` by hand: refreshes search attributes and current details. */
  show(): void
}

/** Registers every handler and shows the run; never throws, so that bad input can still be looked at in the UI. */
export function openRun(setup: RunSetup): Run {
  const run: Run = {
    state: firstState(setup),
    guidance: [],
    isPaused: setup.isPaused ?? false,
    abortReason: null,
    result: null,
    startedAt: now(),
    plan: (names) => planSteps(run, names),
    mark: (name, status, note) => markStep(run, name, { status, note: note ?? null }),
    note: (name, text) => noteStep(run, name, text),
    keep: (artifacts) => keepArtifacts(run.state, artifacts),
    files: () => setup.files(run.state),
    show: () => showRun(run, shown, setup),
  }
  const shown = { attributes: '', details: '' }
  setHandler(stateQuery, () => run.state)
  setHandler(viewQuery, () => ({ state: run.state, files: run.files(), result: run.result }))
  setHandler(guideSignal, (text) => takeGuidance(run, text))
  setHandler(pauseSignal, () => setPaused(run, true))
  setHandler(resumeSignal, () => setPaused(run, false))
  setHandler(abortSignal, (reason) => void (run.abortReason ??= bounded(reason) || 'aborted by a person'))
  run.show()
  return run
}

/** Workflow time as ISO 8601, UTC. */
export function now(): string {
  return new Date().toISOString()
}

/** Holds back while a person has paused the run; an abort ends the pause, and a Temporal cancellation throws, as it must. */
export async function whilePaused(run: Run): Promise<void> {
  await condition(() => run.abortReason !== null || !run.isPaused)
}

/** Runs `work`; when the workflow is cancelled, runs `cleanUp` where the cancellation cannot reach it, and rethrows. */
export async function withCleanUp<T>(work: () => Promise<T>, cleanUp: () => Promise<void>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(cleanUp)
    throw error
  }
}

function firstState({ pipeline, steps }: RunSetup): RunState {
  const { firstExecutionRunId } = workflowInfo()
  return {
    pipeline,
    run_id: firstExecutionRunId,
    status: 'running',
    phase: 'initializing',
    steps: steps.map(pending),
    questions: [],
    usage: { tokens: 0, cost: 0, seconds: 0 },
    artifacts: [],
    verdict: null,
  }
}

function pending(name: string): Step {
  return { name, status: 'pending', attempt: 0, started_at: null, ended_at: null, note: null }
}

function planSteps(run: Run, names: readonly string[]): void {
  const known = new Set(run.state.steps.map((step) => step.name))
  run.state.steps.push(...names.filter((name) => !known.has(name)).map(pending))
  run.show()
}

function markStep(run: Run, name: string, { status, note }: { status: StepStatus; note: string | null }): void {
  const step = stepOf(run, name)
  const isStart = status === 'running'
  step.attempt += isStart ? 1 : 0
  step.started_at = isStart ? (step.started_at ?? now()) : step.started_at
  step.ended_at = isStart ? null : now()
  step.status = status
  step.note = note
  run.show()
}

function noteStep(run: Run, name: string, text: string): void {
  stepOf(run, name).note = text
  run.show()
}

function stepOf(run: Run, name: string): Step {
  const step = run.state.steps.find((each) => each.name === name)
  if (step === undefined) throw new Error(`step ${name} is not on the run's list`)
  return step
}

function keepArtifacts(state: RunState, artifacts: readonly Artifact[]): void {
  const names = new Set(artifacts.map((artifact) => artifact.name))
  state.artifacts = [...state.artifacts.filter((artifact) => !names.has(artifact.name)), ...artifacts]
}

/** Signals come from anybody who reaches the server: what is kept of them is bounded. */
const MAX_TEXT = 10_000
const MAX_GUIDANCE = 50

function takeGuidance(run: Run, text: unknown): void {
  const last = run.guidance.slice(1 - MAX_GUIDANCE)
  run.guidance = [...last, bounded(text)]
}

function bounded(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, MAX_TEXT) : ''
}

function setPaused(run: Run, isPaused: boolean): void {
  run.isPaused = isPaused
  run.show()
}

/** Each search attribute costs an event, so it is written only when it changes; details cost none. */
function showRun(run: Run, shown: { attributes: string; details: string }, { isPart = false }: RunSetup): void {
  run.state.status = liveStatus(run)
  // A run that was cancelled while it asked waits for nobody any more.
  const isWaiting = run.state.phase !== 'completed' && run.state.questions.some(isOpen)
  const attributes = JSON.stringify([run.state.status, isWaiting])
  if (!isPart && attributes !== shown.attributes) {
    const isFirst = shown.attributes === ''
    upsertSearchAttributes({
      ...(isFirst ? nameOf(run.state) : {}),
      GauntletStatus: [run.state.status],
      GauntletWaiting: [isWaiting],
    })
    shown.attributes = attributes
  }
  const details = describeRun(run.state)
  if (details !== shown.details) setCurrentDetails((shown.details = details))
}

/** For runs started by hand, in the Temporal UI: the CLI sets these at the start. */
function nameOf({ pipeline }: RunState): { GauntletPipeline: string[]; GauntletKey: string[] } {
  const { workflowId } = workflowInfo()
  return { GauntletPipeline: [pipeline], GauntletKey: [workflowId.replace(`${pipeline}/`, '')] }
}

function liveStatus(run: Run): RunState['status'] {
  const { status, questions } = run.state
  if (status !== 'running' && status !== 'waiting' && status !== 'paused') return status
  if (run.isPaused) return 'paused'
  return questions.some(isOpen) ? 'waiting' : 'running'
}

export function isOpen(question: Question): boolean {
  return question.answer === null
}
