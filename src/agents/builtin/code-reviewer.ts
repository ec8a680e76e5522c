import { parseContract, parseJson } from '../../contracts/parse.js'
import { ReviewPart } from '../../contracts/review-part.js'
import { CodeReviewerInput } from '../../contracts/review-roles.js'
import { reviewWithAnalysers } from '../../tools/review/review-with-analysers.js'
import type { BuiltinAgent } from '../backends/builtin.js'
import { linterBoxOf } from './linter-box-of.js'

/** Analysers in the place of a reviewer. */
export const codeReviewerBuiltin: BuiltinAgent = async (request, box, { env, store }) => {
  const { task, part } = parseContract(CodeReviewerInput, request.input, 'input')
  const bytes = await store.get({ name: 'part', sha256: part })
  const review = await reviewWithAnalysers(
    linterBoxOf(box, env),
    task.task_id,
    parseJson(ReviewPart, bytes.toString('utf8'), 'part'),
  )
  if (review.blind !== null) return { task_id: task.task_id, status: 'ERROR', message: review.blind }
  return { ...review.answer, reviewers: review.reviewers }
}
