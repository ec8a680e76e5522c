import { parseJson } from '../../contracts/parse.js'
import { type ReviewSuppression, ReviewSuppressions } from '../../contracts/review-suppressions.js'
import { SUPPRESSIONS_FILE } from '../../rules/review/suppressions.js'

/** The project's suppressions; none without the file. Throws `Failure('Contract.Violated')` naming what is wrong in it. */
export function parseSuppressions(text: string | null): ReviewSuppression[] {
  return text === null ? [] : parseJson(ReviewSuppressions, text, SUPPRESSIONS_FILE).suppressions
}
