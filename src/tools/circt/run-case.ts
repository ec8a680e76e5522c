import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseCommand } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import type { ProcessLimits, ProcessOutcome } from '../../contracts/process.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { signatureOf } from '../../rules/circt/signature.js'
import { CASE_LIMITS } from './case-limits.js'
import type { CirctBox, Toolchain } from './circt-box.js'
import { reproducerArgs, supportsReproducer } from './crash-reproducer.js'
import { framesByGdb } from './frames-by-gdb.js'

export interface CaseRun {
  box: Pick<CirctBox, 'run' | 'scratch' | 'signal' | 'gdb'>
  toolchain: Toolchain
  command: CaseCommand
  /** What the tool reads. */
  inputText: string | Uint8Array
  /** Its file name in the run's folder, e.g. 'source.sv': shown in diagnostics. */
  inputName: string
  /** Names the failing pass, by a second run with MLIR's crash reproducer; only where the first run failed in a way that has one. */
  wantPass?: boolean
  /** As `wantPass`, and also returns the IR from before that pass; about twice as slow on large inputs. */
  wantReproducer?: boolean
  /**
   * `true`: the stack, from the tool where it prints a symbolised one (an installed llvm-symbolizer helps), else from gdb (1 to 2 seconds), else
   * the exported functions of a dump without symbols. `'printed'`: only what the tool prints symbolised. Otherwise nobody waits for symbols.
   */
  wantFrames?: boolean | 'printed'
  /** Saves the further runs when the first one already tells enough, e.g. `(seen) => seen.kind === reference.kind`. */
  lookFurtherIf?: (seen: CrashSignature) => boolean
  limits?: Partial<ProcessLimits>
}

export interface SeenCase {
  outcome: ProcessOutcome
  signature: CrashSignature
  /** Every function of the stack, innermost first, as far as the run or gdb showed one; demangled, noise included. */
  stack: string[]
  /** MLIR text from before the failing pass, with the pass in its `mlir_reproducer` resource; null when not asked for or not written. */
  reproducer: string | null
}

/**
 * Runs a case's command on one input, bounded, in a fresh folder below `box.scratch` that is gone afterwards. The plain run alone decides the kind
 * of the signature (the crash reproducer turns a signal into exit code 1); the pass and the stack come from further runs of the same input.
 * Throws `Failure('Tool.Missing')` when the toolchain lacks the tool, and the signal's reason when cancelled.
 */
export async function runCase(run: CaseRun): Promise<SeenCase> {
  const folder = await mkdtemp(join(run.box.scratch, 'run-'))
  try {
    await writeFile(join(folder, run.inputName), run.inputText)
    const outcome = await runOnce(run, folder, [])
    const first = signatureOf(outcome)
    const printed = parseErrorText(outcome.stderr).stack.map((frame) => frame.function)
    if (run.lookFurtherIf?.(first) === false) return { outcome, signature: first, stack: printed, reproducer: null }
    const found = await reproduce(run, folder, first)
    const stack = printed.length > 0 ? printed : await unprintedStack(run, folder, outcome)
    return { outcome, signature: signatureOf(outcome, { failingPass: found.pass, stack }), stack, reproducer: found.ir }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function runOnce(run: CaseRun, folder: string, extraArgs: readonly string[]): Promise<ProcessOutcome> {
  run.box.signal.throwIfAborted()
  const program = run.toolchain.pathOf(run.command.tool)
  const args = run.command.args.map((arg) => arg.replaceAll('{input}', run.inputName))
  const outcome = await run.box.run({
    argv: [program, ...args, ...extraArgs.filter((arg) => !args.includes(arg))],
    cwd: folder,
    readable: [program],
    env: run.wantFrames ? { PATH: '/usr/local/bin:/usr/bin:/bin' } : {},
    isOffline: true,
    limits: { ...CASE_LIMITS, ...run.limits },
    signal: run.box.signal,
  })
  run.box.signal.throwIfAborted()
  return outcome
}

interface Reproduced {
  pass: string | null
  ir: string | null
}

async function reproduce(run: CaseRun, folder: string, signature: CrashSignature): Promise<Reproduced> {
  const isWanted = run.wantPass === true || run.wantReproducer === true
  if (!isWanted || !HAS_PASS.has(signature.kind) || !supportsReproducer(run.command.tool))
    return { pass: null, ir: null }
  const seen = await runOnce(run, folder, reproducerArgs(REPRODUCER_FILE, run.wantReproducer === true))
  const pass = parseErrorText(seen.stderr).failingPass
  if (run.wantReproducer !== true || pass === null) return { pass, ir: null }
  return { pass, ir: await readIfThere(join(folder, REPRODUCER_FILE)) }
}

const REPRODUCER_FILE = 'reproducer.mlir'
/** Kinds that end inside a pass. A hang never writes a reproducer: it would cost its whole time limit again. */
const HAS_PASS = new Set<CrashSignature['kind']>(['crash', 'assertion', 'fatal_error', 'verifier_error', 'diagnostic'])

async function unprintedStack(run: CaseRun, folder: string, outcome: ProcessOutcome): Promise<string[]> {
  if (run.wantFrames !== true || outcome.signal === null || outcome.stopped !== null) return []
  const args = run.command.args.map((arg) => arg.replaceAll('{input}', run.inputName))
  const stack = await framesByGdb(run.box, [run.toolchain.pathOf(run.command.tool), ...args], folder)
  return stack.length > 0 ? stack : parseErrorText(outcome.stderr).exportedStack
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  })
}
