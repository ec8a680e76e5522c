import type { MeasureGatesOrder, QualityExtract } from '../contracts/phase-quality.js'
import type {
  DescribeChangesOrder,
  DescribedChanges,
  PhaseResult,
  PublishBranchOrder,
  PublishedBranch,
} from '../contracts/phase-run.js'
import type { ResultDocument } from '../contracts/run.js'
import { caughtIn } from '../rules/phase/caught.js'
import { mergeQuestion } from '../rules/phase/phase-questions.js'
import { phaseVerdict } from '../rules/phase/run-verdict.js'
import { taskRecord } from '../rules/phase/task-record.js'
import { closeAsking } from './ask-role.js'
import { ask } from './ask.js'
import { type Attempted, attemptStep } from './attempt.js'
import { type End, endRun } from './end-run.js'
import { isStopping, type PhaseRun } from './phase-run.js'

/** The gates on the merged result, a person's word on it where that was asked for, and the branch. */
export async function judgeResult(phase: PhaseRun): Promise<void> {
  if (phase.head === phase.input.base) return
  if (!isStopping(phase)) await runGates(phase)
  if (!isStopping(phase)) await approveMerge(phase)
  if (phase.refused === null) await publish(phase)
}

async function runGates(phase: PhaseRun): Promise<void> {
  const { run, input, project, head } = phase
  if (project === null) throw new Error('gates are run before the project was looked at')
  run.plan(['gates'])
  const { repository, base: config, allow_unsandboxed } = input
  const { quality } = project
  const run_id = run.state.run_id
  const order = {
    run_id,
    repository,
    commit: head,
    config,
    quality,
    criteria: [],
    limit_seconds: null,
    allow_unsandboxed,
  }
  const measured = await attemptStep<MeasureGatesOrder, QualityExtract>(run, {
    step: 'gates',
    activity: 'measureGates',
    input: order,
    note: ({ overallStatus, reasons }) => [overallStatus, ...reasons].join('; '),
  })
  phase.quality = valueOf(phase, measured)
  if (phase.quality !== null) run.keep([{ ...phase.quality.report, name: '.openmatrix/quality.json' }])
}

async function approveMerge(phase: PhaseRun): Promise<void> {
  const { run, input, head } = phase
  if (!input.approvals.includes('merge')) return
  run.state.phase = 'acceptance'
  run.plan(['changes'])
  const order = {
    run_id: run.state.run_id,
    repository: input.repository,
    from: input.base,
    to: head,
    name: '.openmatrix/change.diff',
  }
  const described = valueOf(
    phase,
    await attemptStep<DescribeChangesOrder, DescribedChanges>(run, {
      step: 'changes',
      activity: 'describeChanges',
      input: order,
      note: ({ changed_files }) => `${changed_files} files`,
    }),
  )
  if (described === null) return
  run.keep([described.diff])
  const { reason } = phaseVerdict(factsOf(phase))
  const question = mergeQuestion({ changedFiles: described.changed_files, reason, diff: described.diff.name })
  const answer = await ask(run, question, input.answer_within_seconds)
  if (answer === 'reject' && run.abortReason === null) phase.refused = 'merge'
}

/** A result that was judged is 'result'; what a run leaves that stopped before is 'unfinished'. */
async function publish(phase: PhaseRun): Promise<void> {
  const { run, input, head, quality } = phase
  run.plan(['branch'])
  const name = quality === null ? 'unfinished' : 'result'
  const order: PublishBranchOrder = { run_id: run.state.run_id, repository: input.repository, name, commit: head }
  const published = await attemptStep<PublishBranchOrder, PublishedBranch>(run, {
    step: 'branch',
    activity: 'publishBranch',
    input: order,
    note: ({ branch }) => branch,
  })
  phase.branch = valueOf(phase, published)?.branch ?? null
}

function valueOf<T>(phase: PhaseRun, attempted: Attempted<T>): T | null {
  if (attempted.status === 'passed') return attempted.value
  if (attempted.status === 'failed') phase.failure ??= attempted.failure
  return null
}

/** The run's end, whichever way it came. */
export async function endPhase(phase: PhaseRun): Promise<ResultDocument> {
  phase.notes.push(...unsandboxed(phase), ...redBranches(phase), ...(await closeAsking(phase.asking)))
  return await endRun(phase.run, { ...wordOf(phase), result: resultOf(phase) })
}

function wordOf(phase: PhaseRun): Omit<End, 'result'> {
  const { run, asking, failure } = phase
  if (run.abortReason !== null) return { status: 'aborted', verdict: 'aborted', reason: run.abortReason }
  if (phase.isCanceled) return { status: 'canceled', verdict: 'canceled', reason: 'cancelled through Temporal' }
  if (failure !== null) return { status: 'failed', verdict: 'error', reason: failure.message, failure }
  const { exhausted } = asking.purse
  if (exhausted !== null) return { status: 'budget_exhausted', verdict: 'budget_exhausted', reason: exhausted }
  if (phase.input.plan_only && phase.plan !== null)
    return { status: 'completed', verdict: 'planned', reason: `${phase.tasks.size} tasks` }
  return { status: 'completed', ...phaseVerdict(factsOf(phase)) }
}

function factsOf({ tasks, quality, refused }: PhaseRun) {
  const ends = [...tasks.values()].map((task) => taskRecord(task).status)
  return { tasks: ends, overallStatus: quality?.overallStatus ?? null, refused }
}

function resultOf({ input, head, branch, plan, tasks, quality, caught, notes }: PhaseRun): PhaseResult {
  return {
    branch,
    base: input.base,
    commit: head,
    plan,
    tasks: [...tasks.values()].map(taskRecord),
    quality,
    caught: caughtIn(caught, [...tasks.values()]),
    notes,
  }
}

/** The person agreed to it; whoever reads the result should know. */
function unsandboxed({ tasks, quality }: PhaseRun): string[] {
  const ids = [...tasks.values()].filter(({ snapshot }) => snapshot?.unsandboxed).map(({ outline }) => outline.id)
  const where = [...ids, ...(quality?.isSandboxed === false ? ['the gates on the result'] : [])]
  return where.length === 0 ? [] : [`unsandboxed: ${where.join(', ')}`]
}

/** Tests of a tester's task that nobody made green are not part of the result. */
function redBranches({ tasks }: PhaseRun): string[] {
  const all = [...tasks.values()]
  return all
    .filter(({ outline, status }) => outline.agentType === 'tester' && status === 'completed')
    .filter(
      ({ outline }) =>
        !all.some((task) => task.status === 'completed' && task.outline.dependencies.includes(outline.id)),
    )
    .map(
      ({ outline, snapshot }) =>
        `the tests of ${outline.id} are red and not part of the result: commit ${snapshot?.commit ?? '?'}`,
    )
}
