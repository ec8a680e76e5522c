import type { CaseOrder, MinimizeResult } from '../../contracts/circt.js'
import { BestKeeper, bestOfPrevious } from '../reduce/best-keeper.js'
import type { BugOracle, OracleOrder } from '../reduce/case-oracle.js'
import { findBug } from '../reduce/find-bug.js'
import { patientRun } from '../reduce/patient-run.js'
import type { Confirmed } from '../reduce/publish-reduction.js'
import { publishReduction } from '../reduce/publish-reduction.js'
import { reduceOnePass } from '../reduce/reduce-one-pass.js'
import type { Reduction } from '../reduce/reduce-source.js'
import { reduceSource } from '../reduce/reduce-source.js'
import type { CirctBox } from './circt-box.js'
import { runCase } from './run-case.js'

/** What a reduction may use before it ends with the best so far. */
export interface Allowance {
  /** Texts whose answer was used. */
  maxRuns: number
  timeMs: number
}

/** The step's limit is ten minutes; the rest is for the last runs and a slow start. */
export const ALLOWANCE: Allowance = { maxRuns: 6000, timeMs: 8 * 60_000 }

/** The report is whole without it. */
const ONE_PASS_MS = 90_000

/**
 * Step `minimize`: makes the source smaller as long as it shows the same bug (kind, failing pass, message, frames), in its own language.
 * Goes on from the best text of an earlier attempt (`box.previous`). Writes the artifacts bug.<ext>, error.log, command.txt,
 * minimize_report.md and minimize.log, and one-pass.mlir where there is one; never touches its inputs.
 * Throws `Failure('Tool.Failed')` when the source does not show a bug in three tries, `Failure('Tool.Missing')` without the tool,
 * and the signal's reason when cancelled.
 */
export async function minimizeCase(
  order: CaseOrder,
  workerBox: CirctBox,
  allowance: Allowance = ALLOWANCE,
): Promise<MinimizeResult> {
  const startedAt = Date.now()
  const box = { ...workerBox, run: patientRun(workerBox.run) }
  const { command, language, source, interesting } = order.case
  const fileName = `bug.${language}`
  const oracleOrder = { box, toolchain: await box.toolchainFor(command.version), command, language }
  const original = (await box.store.get(source)).toString('utf8')
  const keeper = new BestKeeper(box, fileName)
  keeper.start()
  try {
    const { bug, runs } = await findBug(order, oracleOrder, original)
    const start = await startOf(box, { fileName, original, bug })
    keeper.offer({ text: start.text, stage: 'reference', runs: start.runs })
    const reduction = await reduceSource({
      text: start.text,
      language,
      oracle: bug.quick,
      verify: bug.careful,
      parallelism: box.parallelism,
      maxRuns: allowance.maxRuns,
      isTimeUp: () => Date.now() - startedAt > allowance.timeMs,
      signal: box.signal,
      onBest: (best) => keeper.offer({ ...best, runs: best.runs + start.runs }),
    })
    const confirmed = await confirm(bug, { original, reduction, runs })
    const last = interesting === null ? confirmed : await inWordsOfTheTool(oracleOrder, confirmed)
    const deadline = Math.min(Date.now() + ONE_PASS_MS, startedAt + allowance.timeMs)
    const onePass = interesting === null ? await reduceOnePass({ ...oracleOrder, ...last, deadline }) : null
    return await publishReduction({ order, box, original, bug, last, onePass, earlierRuns: start.runs })
  } finally {
    await keeper.stop()
  }
}

async function startOf(
  box: CirctBox,
  { fileName, original, bug }: { fileName: string; original: string; bug: BugOracle },
): Promise<{ text: string; runs: number }> {
  const previous = await bestOfPrevious(box, fileName)
  if (previous === null || previous.text === original) return { text: original, runs: 0 }
  const { isSame } = await bug.inspect(previous.text)
  return { text: isSame ? previous.text : original, runs: previous.runs + 1 }
}

/** The result runs a few times more. When none of them shows the bug, the honest answer is the source as it came. */
async function confirm(
  bug: BugOracle,
  { original, reduction, runs }: { original: string; reduction: Reduction; runs: number },
): Promise<Confirmed> {
  const last = await Promise.all(Array.from({ length: runs }, () => bug.inspect(reduction.text)))
  const good = last.filter((run) => run.isSame)
  const shown = good[0]
  if (shown !== undefined) return { reduction, text: reduction.text, confirmedRuns: good.length, runs, ...shown }
  const source = await bug.inspect(original)
  return {
    reduction: { ...reduction, isOneMinimal: false },
    text: original,
    confirmedRuns: 0,
    runs,
    signature: bug.signature,
    stderr: source.stderr,
  }
}

/** A script keeps what the tool says to itself; readers want to see it. */
async function inWordsOfTheTool(
  { box, toolchain, command, language }: OracleOrder,
  last: Confirmed,
): Promise<Confirmed> {
  const input = { inputText: last.text, inputName: `bug.${language}` }
  const { outcome } = await runCase({ box, toolchain, command, ...input })
  return outcome.stderr.trim() === '' ? last : { ...last, stderr: outcome.stderr }
}
