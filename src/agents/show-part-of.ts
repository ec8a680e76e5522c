import { parseJson } from '../contracts/parse.js'
import { ReviewPart } from '../contracts/review-part.js'
import { fence } from '../rules/fence.js'
import { showPart } from '../rules/review/show-part.js'
import type { Look } from './role.js'

/** The code of a part, fenced. */
export async function showPartOf(look: Look, sha256: string): Promise<string> {
  const text = await look.whole({ name: 'part', sha256 })
  return fence('the code under review', showPart(parseJson(ReviewPart, text, 'part')))
}
