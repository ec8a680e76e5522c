import { parseContract, parseJson } from '../../contracts/parse.js'
import { GroundedPart, ReviewPart } from '../../contracts/review-part.js'
import { CodeVerifierInput } from '../../contracts/review-roles.js'
import { verifyWithAnalysers } from '../../tools/review/verify-with-analysers.js'
import type { BuiltinAgent } from '../backends/builtin.js'
import { linterBoxOf } from './linter-box-of.js'

/** Analysers in the place of a verifier: run again, over the version before too. */
export const codeVerifierBuiltin: BuiltinAgent = async (request, box, { env, store }) => {
  const { task, part, grounded } = parseContract(CodeVerifierInput, request.input, 'input')
  const text = async (sha256: string) => (await store.get({ name: 'review', sha256 })).toString('utf8')
  const review = parseJson(GroundedPart, await text(grounded), 'review')
  const verification_result = await verifyWithAnalysers(linterBoxOf(box, env), {
    part: parseJson(ReviewPart, await text(part), 'part'),
    findings: review.findings,
    refuted: review.refuted,
    isByAnalysers: review.reviewers.length > 0,
  })
  return { task_id: task.task_id, verification_result }
}
