import { ResultDocument } from '../contracts/run.js'
import type { CommandInput, Context, Output } from './command.js'
import { evalReport } from './eval-report.js'
import { planEval } from './eval-run.js'
import { runPipeline } from './run-pipeline.js'
import { storePathOf } from './run-places.js'

/** Follows an evaluation to its end and shows its rounds. */
export async function followEval(context: Context, input: CommandInput, allowUnsandboxed: boolean): Promise<Output> {
  const places = { storePath: storePathOf(context, input) }
  const output = await runPipeline(context, places, (store) => planEval(context, input, { store, allowUnsandboxed }))
  const document = ResultDocument.safeParse(output.json)
  const report = document.success ? evalReport(document.data, context.terminal) : null
  return report === null ? output : { ...output, text: `${report}\n\n${output.text}` }
}
