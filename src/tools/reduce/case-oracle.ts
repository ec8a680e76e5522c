import type { CaseCommand, SourceLanguage } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { complainsAlike, errorMessages } from '../../rules/reduce/error-messages.js'
import { runLimits } from '../../rules/reduce/run-limits.js'
import { isSameBug } from '../../rules/reduce/same-bug.js'
import type { CirctBox, Toolchain } from '../circt/circt-box.js'
import type { CaseRun, SeenCase } from '../circt/run-case.js'
import { runCase } from '../circt/run-case.js'
import type { Oracle } from './oracle-cache.js'

export interface OracleOrder {
  box: CirctBox
  toolchain: Toolchain
  command: CaseCommand
  language: SourceLanguage
}

/** What a careful run of one text showed. */
export interface CarefulRun {
  signature: CrashSignature
  isSame: boolean
  stderr: string
}

/** A bug to hold on to, and the ways to ask whether a text shows it. */
export interface BugOracle {
  signature: CrashSignature
  quick: Oracle
  /** Null where the quick check knows everything the careful one would find out. */
  careful: Oracle | null
  inspect(text: string): Promise<CarefulRun>
}

/**
 * The oracle of a case's own command, made from a run of `text`; null when that ends cleanly. Checks come in two strengths:
 * - quick, for every candidate: kind, messages and the frames the tool prints itself by one run, and only if these agree the failing pass
 *   by MLIR's crash reproducer;
 * - careful, for what a pass ended with: the same with gdb's frames where the tool prints none (a second and more each), and with the
 *   full limits for a hang or a memory blow-up. Without gdb there are no such frames, and kind, pass and message decide.
 */
export async function caseOracle(order: OracleOrder, text: string): Promise<BugOracle | null> {
  const first = await runCase({ ...runOf(order, text, order.box.signal), wantPass: true, wantFrames: true })
  const { signature, outcome } = first
  if (signature.kind === 'none') return null
  const limits = runLimits({ kind: signature.kind, durationMs: outcome.durationMs })
  const complaints = errorMessages(outcome.stderr)
  const isSlow = signature.kind === 'hang' || signature.kind === 'memory'

  async function quick(candidate: string, signal: AbortSignal): Promise<boolean> {
    const seen = await runCase({
      ...runOf(order, candidate, signal),
      limits: limits.quick,
      wantPass: true,
      // The further run that names the pass is for what looks right so far.
      lookFurtherIf: (plain) =>
        isSameBug({ ...signature, failing_pass: plain.failing_pass }, plain, { hasFrames: false }),
    })
    return isSame(seen, { hasFrames: false })
  }

  async function inspect(candidate: string, signal = order.box.signal): Promise<CarefulRun> {
    const seen = await runCase({
      ...runOf(order, candidate, signal),
      limits: limits.careful,
      wantPass: true,
      wantFrames: true,
    })
    return { signature: seen.signature, isSame: isSame(seen, { hasFrames: true }), stderr: seen.outcome.stderr }
  }

  function isSame(seen: SeenCase, asked: { hasFrames: boolean }): boolean {
    return (
      isSameBug(signature, seen.signature, asked) && complainsAlike(signature.kind, complaints, seen.outcome.stderr)
    )
  }

  const isPrinted = signature.frames.length === 0 || hasPrintedStack(outcome.stderr)
  const careful: Oracle = async (candidate, signal) => (await inspect(candidate, signal)).isSame
  return { signature, quick, careful: isPrinted && !isSlow ? null : careful, inspect }
}

/** LLVM's own stack dump, symbolised. */
function hasPrintedStack(stderr: string): boolean {
  return /^\s*#\d+ 0x/mu.test(stderr)
}

function runOf({ box, toolchain, command, language }: OracleOrder, inputText: string, signal: AbortSignal): CaseRun {
  return { box: { ...box, signal }, toolchain, command, inputText, inputName: `bug.${language}` }
}
