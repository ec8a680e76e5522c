import { EvalResult } from '../contracts/eval-result.js'
import type { ResultDocument } from '../contracts/run.js'
import { evalTable } from '../rules/eval/table.js'
import { foldLine } from '../rules/fold-line.js'
import type { Terminal } from './terminal.js'

/** The rounds of an evaluation as a table that fits the terminal; null for the document of another pipeline. */
export function evalReport(
  { pipeline, result }: Pick<ResultDocument, 'pipeline' | 'result'>,
  terminal: Terminal,
): string | null {
  const parsed = pipeline === 'eval' ? EvalResult.safeParse(result) : null
  if (parsed?.success !== true || parsed.data.words.length === 0) return null
  return folded(evalTable(parsed.data).split('\n'), terminal).join('\n')
}

/** Where nobody looks, lines stay whole. */
export function folded(lines: readonly string[], terminal: Terminal): string[] {
  return terminal.isLive ? lines.flatMap((line) => foldLine(line, terminal.width())) : [...lines]
}
