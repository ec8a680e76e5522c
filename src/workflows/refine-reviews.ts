import type { Dimension } from '../contracts/aggregate.js'
import type { ReviewerInput, ReviewExtract } from '../contracts/refine-answers.js'
import type { JudgeOrder, RoundJudgement } from '../contracts/refine.js'
import { noteJudged, noteReviews } from '../rules/refine/refine-moves.js'
import { judgedRound, type RoundWork, scoreTable } from '../rules/refine/refine-progress.js'
import { judgementNote, reviewNote } from '../rules/refine/round-notes.js'
import { askRole, type Asked } from './ask-role.js'
import { attemptStep } from './attempt.js'
import { type RefineRun, renewRow, REVIEWERS, stackOf, stepName, workOf } from './refine-run.js'
import { now } from './run.js'

/** An agent's own time, seconds. */
const REVIEWER_LIMIT = 1800

/** The reviewers in parallel, each ending as a value: one that fails never abandons the others. */
export async function reviewCode(loop: RefineRun, dimensions: readonly Dimension[]): Promise<void> {
  const { run, progress } = loop
  const work = workOf(progress)
  progress.failures = []
  const ask = async (dimension: Dimension) => ({
    dimension,
    asked: await askReviewer(loop, dimension, dimensions.length),
  })
  const all = await Promise.all(dimensions.map(ask))
  const outcomes: Partial<Record<Dimension, 'done' | 'failed'>> = {}
  for (const { dimension, asked } of all) {
    if (asked.status === 'passed') {
      work.reviews[dimension] = asked.value.answer
      outcomes[dimension] = 'done'
    } else if (asked.status === 'failed') {
      progress.failures.push(asked.failure)
      outcomes[dimension] = 'failed'
    } else if (asked.status === 'exhausted') progress.facts = { ...progress.facts, isExhausted: true }
  }
  progress.facts = noteReviews(progress.facts, outcomes)
  run.keep(Object.values(work.reviews))
}

function askReviewer(loop: RefineRun, dimension: Dimension, parallel: number): Promise<Asked<ReviewExtract>> {
  const { asking, input, progress } = loop
  const { round, commit, scope, diff } = workOf(progress)
  const { requirement, lang, repository, key } = input
  const order: ReviewerInput = { round, tech_stack: stackOf(progress), requirement, scope, diff, lang }
  renewRow(loop, REVIEWERS[dimension])
  return askRole<ReviewExtract>(asking, {
    role: REVIEWERS[dimension],
    row: REVIEWERS[dimension],
    step: stepName(progress, `${dimension}-review`, round),
    round,
    taskId: key.slice(0, 80),
    input: order,
    workspace: { repository, commit, protected: [] },
    limitSeconds: REVIEWER_LIMIT,
    parallel,
    note: ({ extract }) => reviewNote(round, extract),
  })
}

/** The verdict, in an activity: it takes the whole answers, and the code they are about. */
export async function judgeCode(loop: RefineRun): Promise<void> {
  const { run, progress } = loop
  const work = workOf(progress)
  renewRow(loop, 'aggregate')
  const judged = await attemptStep<JudgeOrder, RoundJudgement>(run, {
    step: 'aggregate',
    activity: 'judgeRound',
    input: judgeOrder(loop, work),
    note: (judgement) => judgementNote(work.round, judgement),
  })
  if (judged.status === 'canceled') return
  if (judged.status === 'failed') progress.failures = [judged.failure]
  else {
    progress.rounds.push(judgedRound(work, judged.value, now()))
    run.keep([judged.value.feedback, judged.value.aggregate])
    run.state.scores = scoreTable(progress)
  }
  progress.facts = noteJudged(progress.facts, judged.status === 'passed' ? judged.value.recommendation : null)
  run.show()
}

function judgeOrder({ run, input, progress }: RefineRun, { round, commit, reviews }: RoundWork): JudgeOrder {
  const { security, quality, performance } = reviews
  if (security === undefined || quality === undefined || performance === undefined)
    throw new Error('a review is missing')
  const { thresholds, weights, lang, repository } = input
  return {
    run_id: run.state.run_id,
    round,
    repository,
    commit,
    tech_stack: stackOf(progress),
    reviews: { security, quality, performance },
    previous_scores: progress.rounds.map(({ overall }) => overall),
    thresholds: { ...thresholds, max_iterations: progress.facts.maxRounds },
    weights,
    lang,
  }
}
