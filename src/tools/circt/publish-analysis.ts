import { AnalysisFile } from '../../contracts/circt-files.js'
import type { AnalysisResult, CaseOrder } from '../../contracts/circt.js'
import { analysisReport } from '../../rules/circt/analysis-report.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { withoutMachinePaths } from '../../rules/reduce/machine-paths.js'
import type { CirctBox } from './circt-box.js'

export interface AnalysisContext {
  toolVersion: string | null
  /** stderr of the analysed run, or error.txt; paths of this machine are taken out here. */
  errorText: string
  reproducer: string | null
  /** One line per thing tried, for root_cause.log. */
  log: readonly string[]
}

/** Puts analysis.json, root_cause.md and root_cause.log into the store and sums the step up. */
export async function publishAnalysis(
  order: CaseOrder,
  box: CirctBox,
  found: AnalysisContext & { analysis: AnalysisFile },
): Promise<AnalysisResult> {
  const analysis = AnalysisFile.parse(found.analysis)
  const report = analysisReport(analysis, {
    command: commandLine(order.case.command, `source.${order.case.language}`),
    toolVersion: found.toolVersion,
    errorHead: withoutMachinePaths(found.errorText.slice(0, 20_000)).split('\n').slice(0, 30).join('\n'),
    reproducerLines: found.reproducer === null ? null : found.reproducer.trimEnd().split('\n').length,
  })
  const artifacts = await Promise.all([
    box.store.put('analysis.json', `${JSON.stringify(analysis, null, 2)}\n`, 'application/json'),
    box.store.put('root_cause.md', report, 'text/markdown'),
    box.store.put('root_cause.log', `${found.log.map(withoutMachinePaths).join('\n')}\n`, 'text/plain'),
  ])
  return {
    degraded: analysis.degraded,
    dialect: analysis.dialect,
    failing_pass: analysis.failing_pass,
    crash_type: analysis.crash_type,
    keywords: analysis.keywords,
    note: noteOf(analysis),
    artifacts,
  }
}

/** What the kind and the pass do not tell: the message, or the place in the compiler. */
function noteOf({ assertion_message, signature, frames }: AnalysisFile): string {
  const place = signature?.frames[0] ?? frames[0]
  const said = assertion_message ?? signature?.message ?? (place === undefined ? '' : `at ${place}`)
  return said.slice(0, 400)
}
