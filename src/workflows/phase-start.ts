import type { CommitId } from '../contracts/git.js'
import type { DescribeChangesOrder, DescribedChanges } from '../contracts/phase-run.js'
import type { TaskSnapshot } from '../contracts/phase-task.js'
import { blockOf } from '../rules/phase/block-of.js'
import { advanceTask, startTask } from '../rules/phase/decide-task.js'
import { phasesOf } from '../rules/phase/phases-of.js'
import { tryOnce } from './attempt.js'
import { mergeInto } from './phase-merge.js'
import { blockTask, type PhaseRun, type RunTask } from './phase-run.js'

/** Makes ready what a task starts from. Null when that was not possible: the task is then blocked. */
export async function prepareTask(phase: PhaseRun, task: RunTask): Promise<TaskSnapshot | null> {
  task.snapshot ??= firstSnapshot(phase, task)
  const problem = await PREPARE[task.start](phase, task, task.snapshot)
  if (problem !== null) return block(phase, task, problem)
  task.start = 'ready'
  return task.snapshot
}

/** What is wrong, in one line; null when all went well. The snapshot is changed. */
type Prepare = (phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot) => Promise<string | null>

const PREPARE: Record<RunTask['start'], Prepare> = {
  ready: () => Promise.resolve(null),
  fresh: startFromRun,
  conflict: startOver,
}

function firstSnapshot({ tasks, project, head }: PhaseRun, { outline }: RunTask): TaskSnapshot {
  const hasTests = testersOf(tasks, outline.dependencies).length > 0
  const { agentType, has_question: hasQuestion } = outline
  const phases = phasesOf({ agentType, tdd: project?.quality.tdd ?? true, hasQuestion, hasTests })
  const nothingYet = {
    red: null,
    tests: [],
    red_tests: [],
    rounds: {},
    entries: [],
    complaint: null,
    report: null,
    research: null,
  }
  const noResults = {
    conflicts: [],
    quality: null,
    review: null,
    review_artifact: null,
    results: {},
    caught: [],
    unsandboxed: false,
    nested: null,
  }
  return { progress: startTask(phases), base: head, commit: head, phase_start: head, ...nothingYet, ...noResults }
}

/** Tester's tasks it depends on: their red tests lie on branches of their own until somebody makes them green. */
function testersOf(tasks: PhaseRun['tasks'], dependencies: readonly string[]): TaskSnapshot[] {
  return dependencies.flatMap((id) => {
    const task = tasks.get(id)
    return task?.outline.agentType === 'tester' && task.snapshot !== null ? [task.snapshot] : []
  })
}

/** From the run's branch as it is now, with the tests of the tester's tasks before it. */
async function startFromRun(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): Promise<string | null> {
  const { head, tasks } = phase
  const testers = testersOf(tasks, task.outline.dependencies)
  let commit = head
  for (const tester of testers) {
    const merged = await mergeInto(phase, task, { ours: commit, theirs: tester.commit })
    if (merged.status !== 'merged')
      return merged.status === 'conflict' ? `its tests do not fit: ${merged.problem}` : merged.problem
    commit = merged.commit
  }
  const tests = [...new Set(testers.flatMap((tester) => tester.tests))].slice(0, 500)
  const red_tests = testers.flatMap((tester) => tester.red_tests).slice(0, 200)
  const red = testers.length === 0 ? null : commit
  Object.assign(snapshot, { base: head, commit, phase_start: commit, tests, red_tests, red })
  return null
}

/** After a conflict the coder starts from the run's branch, with the tester's files there and its own change as a report. */
async function startOver(phase: PhaseRun, task: RunTask, snapshot: TaskSnapshot): Promise<string | null> {
  const { head } = phase
  const described = await describeOwnChange(phase, task, snapshot)
  if (typeof described === 'string') return described
  let commit: CommitId = head
  if (snapshot.red !== null) {
    const merged = await mergeInto(phase, task, { ours: head, theirs: snapshot.red })
    if (merged.status !== 'merged') return `its tests cannot be merged: ${merged.problem}`
    commit = merged.commit
  }
  const complaint = `These files could not be merged: ${snapshot.conflicts.slice(0, 10).join(', ')}. Bring the change below into what is there now.`
  Object.assign(snapshot, { base: head, commit, phase_start: commit, complaint, report: described.diff })
  return null
}

async function describeOwnChange(
  phase: PhaseRun,
  task: RunTask,
  snapshot: TaskSnapshot,
): Promise<DescribedChanges | string> {
  const { id } = task.outline
  const input: DescribeChangesOrder = {
    run_id: phase.run.state.run_id,
    repository: phase.input.repository,
    from: snapshot.base,
    to: snapshot.commit,
    name: `.openmatrix/tasks/${id}/conflict.diff`,
  }
  const described = await tryOnce<DescribeChangesOrder, DescribedChanges>({
    step: id,
    activity: 'describeChanges',
    input,
  })
  if (described.status === 'passed') return described.value
  return described.status === 'failed' ? described.failure.message : 'stopped'
}

function block(phase: PhaseRun, task: RunTask, problem: string): null {
  const { snapshot } = task
  if (snapshot === null) throw new Error(`${task.outline.id} was never started`)
  const progress = advanceTask(snapshot.progress, { kind: 'outcome', outcome: 'failed' })
  task.snapshot = { ...snapshot, progress, complaint: problem }
  if (progress.action.do !== 'ask') throw new Error(`a failed ${progress.phase} is not asked about`)
  blockTask(phase, task, blockOf({ ask: progress.action, complaint: problem, said: null }))
  return null
}
