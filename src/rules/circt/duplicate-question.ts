import type { DuplicatesResult } from '../../contracts/circt.js'
import type { Question } from '../../contracts/run.js'

/** What a person is asked before a probable duplicate ends the run. The default follows the evidence (pipelines.md, circt 7). */
export function duplicateQuestion(
  found: DuplicatesResult,
): Pick<Question, 'id' | 'kind' | 'title' | 'detail' | 'options' | 'default'> {
  const { top_issue: top, note } = found
  return {
    id: 'duplicate',
    kind: 'choice',
    title: `Is this a duplicate of #${top?.number ?? '?'}?`,
    detail: [note, top?.title, top?.url].filter((each) => each !== undefined).join('; '),
    options: [
      { key: 'duplicate', label: 'yes, end here' },
      { key: 'report', label: 'no, write the report' },
    ],
    default: found.is_corroborated ? 'duplicate' : 'report',
  }
}
