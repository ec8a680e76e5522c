import type { PhaseResult } from '../../contracts/phase-run.js'
import type { QualityReport } from '../../contracts/quality.js'

/** How a task stands when the run is over. `unfinished`: the run stopped first; `not_started`: something it depends on was not completed. */
export type TaskEnd = PhaseResult['tasks'][number]['status']

export type PhaseVerdict =
  /** Every task completed, and the gates passed on the result. The good end. */
  | 'accepted'
  /** The gates passed on a result that lacks tasks. */
  | 'partly'
  /** Nothing was completed, and something is blocked or failed. */
  | 'blocked'
  /** Nothing was completed, because a person skipped it all. */
  | 'skipped'
  /** A blocking gate failed on the result. */
  | 'gates_failed'
  /** No gate failed on the result, but what had to be measured was not. */
  | 'unverified'
  /** A person refused the plan or the merge. */
  | 'not_approved'
  /** No planner's plan could be taken. */
  | 'no_plan'

export interface RunFacts {
  tasks: readonly TaskEnd[]
  /** Of the gates on the result; null when no file differs from the base, so that there is nothing to judge. */
  overallStatus: QualityReport['overallStatus'] | null
  /** What a person refused. */
  refused: 'plan' | 'merge' | null
}

/** The run's word, and one sentence why. The order of the rows is the order of what weighs more. */
export function phaseVerdict(facts: RunFacts): { verdict: PhaseVerdict; reason: string } {
  const row = ROWS.find(({ when }) => when(facts))
  if (row === undefined) throw new Error('the last row fits everything')
  return { verdict: row.verdict, reason: row.reason(facts) }
}

interface Row {
  verdict: PhaseVerdict
  when: (facts: RunFacts) => boolean
  reason: (facts: RunFacts) => string
}

const ROWS: readonly Row[] = [
  {
    verdict: 'not_approved',
    when: ({ refused }) => refused !== null,
    reason: ({ refused }) => `the ${refused} was not approved`,
  },
  { verdict: 'no_plan', when: ({ tasks }) => tasks.length === 0, reason: () => 'no plan could be taken' },
  {
    verdict: 'blocked',
    when: ({ tasks }) => !tasks.includes('completed') && (tasks.includes('blocked') || tasks.includes('failed')),
    reason: ({ tasks }) => `no task was completed: ${countOf(tasks)}`,
  },
  { verdict: 'skipped', when: ({ tasks }) => !tasks.includes('completed'), reason: ({ tasks }) => countOf(tasks) },
  {
    verdict: 'gates_failed',
    when: ({ overallStatus }) => overallStatus === 'fail',
    reason: ({ tasks }) => `a gate failed on the merged result; ${countOf(tasks)}`,
  },
  {
    verdict: 'unverified',
    when: ({ overallStatus }) => overallStatus === 'unverified',
    reason: ({ tasks }) => `not everything could be measured on the merged result; ${countOf(tasks)}`,
  },
  {
    verdict: 'partly',
    when: ({ tasks }) => tasks.some((end) => end !== 'completed'),
    reason: ({ tasks }) => countOf(tasks),
  },
  {
    verdict: 'accepted',
    when: () => true,
    reason: ({ tasks, overallStatus }) =>
      overallStatus === null
        ? `${countOf(tasks)}; no file was changed`
        : `${countOf(tasks)}; the gates pass on the merged result`,
  },
]

const ENDS: readonly TaskEnd[] = ['completed', 'blocked', 'skipped', 'failed', 'unfinished', 'not_started']

/** '2 of 3 tasks completed, 1 blocked'. */
function countOf(tasks: readonly TaskEnd[]): string {
  const count = (end: TaskEnd) => tasks.filter((each) => each === end).length
  const others = ENDS.filter((end) => end !== 'completed' && count(end) > 0).map(
    (end) => `${count(end)} ${end.replace('_', ' ')}`,
  )
  return [`${count('completed')} of ${tasks.length} tasks completed`, ...others].join(', ')
}
