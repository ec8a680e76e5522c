import type { CaseCommand } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { type PassReproducer, readReproducer } from '../../rules/circt/one-pass.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { isSameBug } from '../../rules/reduce/same-bug.js'
import { runCase } from '../circt/run-case.js'
import { type BugOracle, caseOracle, type OracleOrder } from './case-oracle.js'
import { reduceSource } from './reduce-source.js'

export interface OnePassOrder extends OracleOrder {
  /** The reduced source, which shows the bug. */
  text: string
  signature: CrashSignature
  /** When to end with the best so far, by `Date.now()`. */
  deadline: number
}

export interface OnePass {
  text: string
  /** Oracle runs of its own reduction. */
  runs: number
}

/** Its file name, and its first line tells how to run it. */
export const ONE_PASS_FILE = 'one-pass.mlir'

/**
 * What maintainers like best: the IR from before the failing pass and circt-opt with that pass alone, reduced by itself, as the text of
 * `ONE_PASS_FILE`; null where the case is one already, no pass is to blame, the toolchain has no circt-opt, or that way does not show the same bug.
 */
export async function reduceOnePass(order: OnePassOrder): Promise<OnePass | null> {
  const { box, toolchain, signature, deadline } = order
  if (signature.failing_pass === null || !HAS_REPRODUCER.has(signature.kind)) return null
  if (isOnePass(order) || !toolchain.has('circt-opt')) return null
  const input = { inputText: order.text, inputName: `bug.${order.language}` }
  const seen = await runCase({ box, toolchain, command: order.command, ...input, wantPass: true, wantReproducer: true })
  const reproducer = seen.reproducer === null ? null : readReproducer(seen.reproducer)
  const start = reproducer === null ? null : await shownBy(order, reproducer)
  if (start === null) return null
  const { text, runs } = await reduceSource({
    text: start.ir,
    language: 'mlir',
    oracle: start.bug.quick,
    verify: start.bug.careful,
    parallelism: box.parallelism,
    maxRuns: MAX_RUNS,
    isTimeUp: () => Date.now() > deadline,
    signal: box.signal,
    onBest: () => undefined,
  })
  const { isSame } = await start.bug.inspect(text)
  return { text: `// ${commandLine(start.command, ONE_PASS_FILE)}\n${isSame ? text : start.ir}`, runs }
}

const HAS_REPRODUCER = new Set<CrashSignature['kind']>(['crash', 'assertion', 'fatal_error', 'verifier_error'])
const MAX_RUNS = 1500

/** circt-opt with its input and one more argument. */
function isOnePass({ command, language }: OnePassOrder): boolean {
  return language === 'mlir' && command.tool === 'circt-opt' && command.args.length <= 2
}

interface Shown {
  ir: string
  command: CaseCommand
  bug: BugOracle
}

async function shownBy(order: OnePassOrder, { ir, passArguments }: PassReproducer): Promise<Shown | null> {
  for (const argument of passArguments) {
    const command: CaseCommand = { tool: 'circt-opt', version: order.command.version, args: [argument, '{input}'] }
    const bug = await caseOracle({ ...order, command, language: 'mlir' }, ir)
    if (bug !== null && isSameBug(order.signature, bug.signature, { hasFrames: false })) return { ir, command, bug }
  }
  return null
}
