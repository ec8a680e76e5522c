import { EvalResult } from '../contracts/eval-result.js'
import type { ResultDocument } from '../contracts/run.js'
import { evalTable } from '../rules/eval/table.js'

/** The rounds of an evaluation as a table; null for the document of another pipeline. */
export function evalReport({ pipeline, result }: Pick<ResultDocument, 'pipeline' | 'result'>): string | null {
  const parsed = pipeline === 'eval' ? EvalResult.safeParse(result) : null
  return parsed?.success === true && parsed.data.words.length > 0 ? evalTable(parsed.data) : null
}
