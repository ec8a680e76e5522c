import type { AnalysisResult, CaseOrder } from '../../contracts/circt.js'
import { analyse } from '../../rules/circt/analysis.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { signatureOfErrorText } from '../../rules/circt/signature.js'
import { readCaseSource } from './case-source.js'
import type { CirctBox } from './circt-box.js'
import { publishAnalysis } from './publish-analysis.js'

/** The fallback when `analyzeRootCause` failed: runs nothing, reads error.txt and the source alone, and says so (`degraded`). */
export async function analyzeFromError(order: CaseOrder, box: CirctBox): Promise<AnalysisResult> {
  const { text, errorText } = await readCaseSource(order.case, box)
  const parsed = parseErrorText(errorText)
  const analysis = analyse({
    language: order.case.language,
    source: text.toString('utf8'),
    text: parsed,
    signature: signatureOfErrorText(parsed),
    stack: parsed.stack.map((frame) => frame.function),
    reproducer: null,
    hangingPass: null,
    found: [],
    isDegraded: true,
  })
  const log = ['fallback: nothing was run, error.txt and the source were read']
  return publishAnalysis(order, box, {
    analysis,
    toolVersion: order.case.command.version,
    errorText,
    reproducer: null,
    log,
  })
}
