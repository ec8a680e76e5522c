import type { Dimension } from '../../contracts/aggregate.js'
import { Failure } from '../../contracts/failures.js'
import { parseContract, parseJson } from '../../contracts/parse.js'
import { ReviewerInput, ReviewScope } from '../../contracts/refine-answers.js'
import type { AnalysedText } from '../../tools/linters/raw-finding.js'
import { reviewWithAnalysers } from '../../tools/refine/review-with-analysers.js'
import { readInside } from '../../tools/worktree-tools/text-inside.js'
import type { BuiltinAgent } from '../backends/builtin.js'
import { LIMIT_PREFIX } from '../extract-review.js'
import { linterBoxOf } from './linter-box-of.js'

/** Analysers in the place of one of the three reviewers of a round: over the files under review, whole, as they lie in the worktree. */
export function roundReviewer(dimension: Dimension): BuiltinAgent {
  return async (request, box, { env, store }) => {
    const { scope } = parseContract(ReviewerInput, request.input, 'input')
    const { files } = parseJson(ReviewScope, (await store.get(scope)).toString('utf8'), 'scope')
    const texts: AnalysedText[] = []
    for (const path of files) {
      const text = await textOf(box.cwd, path)
      if (text !== null) texts.push({ path, text })
    }
    return await reviewWithAnalysers(linterBoxOf(box, env), dimension, { texts, limitPrefix: LIMIT_PREFIX })
  }
}

/** Null for what is no text or too large for an analyser. */
async function textOf(folder: string, path: string): Promise<string | null> {
  try {
    return await readInside(folder, path)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
