import type { AnalysisResult, CaseOrder } from '../../contracts/circt.js'
import type { CrashKind } from '../../contracts/crash-signature.js'
import { Failure } from '../../contracts/failures.js'
import { analyse } from '../../rules/circt/analysis.js'
import { parseErrorText, type ErrorText } from '../../rules/circt/error-text.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { meaningfulFramesOf } from '../../rules/circt/signature-frames.js'
import { signatureOfErrorText } from '../../rules/circt/signature.js'
import { readCaseSource, toolchainOf, type CaseSource } from './case-source.js'
import type { CirctBox, Toolchain } from './circt-box.js'
import { findHangingPass } from './find-hanging-pass.js'
import { findSources } from './find-sources.js'
import { publishAnalysis } from './publish-analysis.js'
import type { CaseRun, SeenCase } from './run-case.js'
import { runUntilShown } from './run-until-shown.js'

/**
 * Why the case fails, from its own runs (crash reproducer, printed stack or gdb), error.txt, the source, and a CIRCT checkout when there is one.
 * Publishes analysis.json, root_cause.md and root_cause.log. A case that does not fail here is analysed from error.txt, and the log says so.
 * Throws `Failure('Tool.Missing')` without the tool: the fallback takes over.
 */
export async function analyzeRootCause(order: CaseOrder, box: CirctBox): Promise<AnalysisResult> {
  const source = await readCaseSource(order.case, box)
  const toolchain = await toolchainOf(order.case, box)
  if (toolchain === null)
    throw new Failure('Tool.Missing', `${order.case.command.tool}: expected in the toolchain, not there`)
  const evidence = await gather(order, box, { source, toolchain })
  const { seen, hangingPass, stack, isSeen, log } = evidence
  const errorText = isSeen ? seen.outcome.stderr : source.errorText
  const reported = parseErrorText(source.errorText)
  const signature = isSeen ? seen.signature : signatureOfErrorText(reported)
  const text = withReported(parseErrorText(errorText), reported, signature?.kind)
  const failingPass = signature?.failing_pass ?? hangingPass
  const found = await sourcesOf(box, failingPass, stack)
  const analysis = analyse({
    language: order.case.language,
    source: source.text.toString('utf8'),
    text,
    signature: signature === null ? null : { ...signature, failing_pass: failingPass },
    stack,
    reproducer: seen.reproducer,
    hangingPass,
    found,
    isDegraded: false,
  })
  const lines = [...log, `checkout: ${box.circtSource === null ? 'none' : `${found.length} files suggested`}`]
  return publishAnalysis(order, box, {
    analysis,
    toolVersion: toolchain.version,
    errorText,
    reproducer: seen.reproducer,
    log: lines,
  })
}

/**
 * What only error.txt may have: files of the compiler stand in a symbolised dump, which this machine may not print; the assertion comes from a build
 * with assertions, where the same bug kills the build at hand in another way.
 */
function withReported(seen: ErrorText, reported: ErrorText, kind: CrashKind | undefined): ErrorText {
  const isDeath = kind === 'crash' || kind === 'assertion' || kind === 'fatal_error'
  return {
    ...seen,
    stack: seen.stack.length > 0 ? seen.stack : reported.stack,
    assertion: seen.assertion ?? (isDeath ? reported.assertion : null),
  }
}

interface Evidence {
  seen: SeenCase
  hangingPass: string | null
  stack: string[]
  /** False when the case does not fail here, or only explains itself where error.txt reports that the compiler failed. */
  isSeen: boolean
  log: string[]
}

async function gather(
  order: CaseOrder,
  box: CirctBox,
  given: { source: CaseSource; toolchain: Toolchain },
): Promise<Evidence> {
  const { source, toolchain } = given
  const { command } = order.case
  const run: CaseRun = { box, toolchain, command, inputText: source.text, inputName: source.name }
  const reported = parseErrorText(source.errorText)
  const known = signatureOfErrorText(reported)
  const seen = await runUntilShown({ ...run, wantPass: true, wantReproducer: true, wantFrames: true }, known)
  box.heartbeat({ done: 'run' })
  const { kind } = seen.signature
  const isSeen = kind !== 'none' && !isFailureHidden(known, seen.signature)
  const hangingPass = kind === 'hang' || kind === 'memory' ? await findHangingPass(run) : null
  const told = reported.stack.map((frame) => frame.function)
  const stack = seen.stack.length > 0 ? seen.stack : told
  const log = [
    `run: ${kind}, ${Math.round(seen.outcome.durationMs)} ms, pass ${seen.signature.failing_pass ?? hangingPass ?? 'unknown'}`,
    `stack: ${seen.stack.length} frames seen${box.gdb === null ? ' (gdb is not installed)' : ''}, ${told.length} in error.txt`,
    `reproducer: ${seen.reproducer === null ? 'none' : `${seen.reproducer.length} characters`}`,
    ...(isSeen ? [] : [`the case ends otherwise here (${kind}): read from error.txt`]),
  ]
  return { seen, hangingPass, stack, isSeen, log }
}

async function sourcesOf(box: CirctBox, failingPass: string | null, stack: readonly string[]) {
  if (box.circtSource === null) return []
  return findSources({ checkout: box.circtSource, failingPass, frames: meaningfulFramesOf(stack), signal: box.signal })
}
