import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProcessOutcome } from '../../contracts/process.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { CASE_LIMITS } from './case-limits.js'
import { supportsReproducer } from './crash-reproducer.js'
import type { CaseRun } from './run-case.js'

/**
 * The pass that a run without an end is in: the last one whose IR was printed before it started. A crash reproducer cannot tell, as a killed
 * process writes none. The run is cut after `HANG_SECONDS`, since whatever comes to an end does so well before. Null when no pass had started.
 */
export async function findHangingPass(
  run: Pick<CaseRun, 'box' | 'toolchain' | 'command' | 'inputText' | 'inputName'>,
): Promise<string | null> {
  if (!supportsReproducer(run.command.tool)) return null
  const folder = await mkdtemp(join(run.box.scratch, 'hang-'))
  try {
    await writeFile(join(folder, run.inputName), run.inputText)
    const short = await runWith(run, folder, [...FLAGS, '--mlir-print-skip-regions'])
    // Older releases cannot leave the regions out.
    const isUnknown = short.stderr.includes('Unknown command line argument')
    const outcome = isUnknown ? await runWith(run, folder, FLAGS) : short
    const hasEnded = outcome.stopped === null && outcome.signal === null
    return hasEnded ? null : parseErrorText(outcome.stderr).failingPass
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const HANG_SECONDS = 8
const FLAGS = ['--mlir-disable-threading', '--mlir-print-ir-before-all']

async function runWith(
  run: Pick<CaseRun, 'box' | 'toolchain' | 'command' | 'inputName'>,
  cwd: string,
  flags: readonly string[],
): Promise<ProcessOutcome> {
  const program = run.toolchain.pathOf(run.command.tool)
  const args = run.command.args.map((arg) => arg.replaceAll('{input}', run.inputName))
  const outcome = await run.box.run({
    argv: [program, ...args, ...flags.filter((flag) => !args.includes(flag))],
    cwd,
    readable: [program],
    env: {},
    isOffline: true,
    limits: { ...CASE_LIMITS, timeMs: HANG_SECONDS * 1000 },
    signal: run.box.signal,
  })
  run.box.signal.throwIfAborted()
  return outcome
}
