import type { ReviewExtract } from '../contracts/phase-roles.js'
import type { DescribeChangesOrder, DescribedChanges } from '../contracts/phase-run.js'
import { reviewed } from '../rules/phase/agent-results.js'
import { criteriaOf } from '../rules/phase/criteria.js'
import { reviewEntries } from '../rules/phase/entries.js'
import { attemptStep } from './attempt.js'
import { briefFor } from './task-brief.js'
import { askFor, atOf, notDone, remember, type Stretch, type TaskWork } from './task-work.js'

/** Accept: a reviewer looks at what the task has changed; a reviewer's own task is about all that the run has changed so far. */
export async function reviewTask(work: TaskWork): Promise<Stretch> {
  const { at, run } = work
  run.plan(['changes'])
  const described = await describeChanges(work)
  if (described.status === 'canceled') return { stop: 'canceled', reason: null }
  if (described.status === 'failed') return notDone(work, described.failure.message)
  const { changes, changed_files, diff } = described.value
  const changed = changes.filter(({ action }) => action !== 'delete').map(({ path }) => path)
  const quality = at.quality?.report ?? null
  const input = { brief: briefFor(work, 'accept'), changed, changed_files, diff, quality, criteria: leftOver(work) }
  const asked = await askFor<ReviewExtract>(work, { role: 'reviewer', phase: 'accept', input })
  if (!('reply' in asked)) return asked
  at.review_artifact = asked.reply.answer
  return takeReview(work, asked.reply.extract)
}

function describeChanges({ order, at, run }: TaskWork) {
  const { run_id, repository, outline, config } = order
  const from = outline.agentType === 'reviewer' ? config : at.base
  const input = { run_id, repository, from, to: at.commit, name: `.openmatrix/tasks/${outline.id}/change.diff` }
  return attemptStep<DescribeChangesOrder, DescribedChanges>(run, {
    step: 'changes',
    activity: 'describeChanges',
    input,
    note: ({ changed_files }) => `${changed_files} files`,
  })
}

/** Without Verify nothing could be measured: then all criteria are the reviewer's. */
function leftOver({ at, task }: TaskWork): string[] {
  if (at.quality !== null) return at.quality.unmeasured
  return criteriaOf(task.acceptanceCriteria ?? []).map(({ criterion }) => criterion)
}

function takeReview(work: TaskWork, review: ReviewExtract): Stretch {
  const { at, run, task } = work
  at.review = review
  at.results['accept'] = reviewed({ taskId: task.id, agentType: 'reviewer' }, review, review.blockers)
  const note = [`${review.overallScore}/10`, ...review.blockers, ...review.inconsistencies].join('; ')
  run.mark('accept', review.outcome === 'approved' ? 'passed' : 'failed', note)
  if (review.outcome === 'approved') remember(work, reviewEntries(atOf(work, 'accept'), review))
  else {
    const complaint = `Review not approved: ${review.blockers.join('; ')}`.slice(0, 2_000)
    Object.assign(at, { complaint, report: at.review_artifact })
  }
  return { outcome: review.outcome }
}
