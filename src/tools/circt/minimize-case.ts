import type { CaseOrder, MinimizeResult } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { signatureOfErrorText } from '../../rules/circt/signature.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { BestKeeper, bestOfPrevious } from '../reduce/best-keeper.js'
import type { BugOracle, OracleOrder } from '../reduce/case-oracle.js'
import { caseOracle } from '../reduce/case-oracle.js'
import { scriptOracle } from '../reduce/interesting-script.js'
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
    const bug = await referenceOf(order, oracleOrder, original)
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
    const confirmed = await confirm(bug, { original, reduction })
    const last = interesting === null ? confirmed : await inWordsOfTheTool(oracleOrder, confirmed)
    const deadline = Math.min(Date.now() + ONE_PASS_MS, startedAt + allowance.timeMs)
    const onePass = interesting === null ? await reduceOnePass({ ...oracleOrder, ...last, deadline }) : null
    return await publishReduction({ order, box, original, bug, last, onePass, earlierRuns: start.runs })
  } finally {
    await keeper.stop()
  }
}

/**
 * A flaky bug gets three tries to show itself. What error.txt reports comes before another failure that was seen meanwhile: a crash may
 * hide behind a diagnostic two times of three.
 */
async function referenceOf(order: CaseOrder, oracleOrder: OracleOrder, original: string): Promise<BugOracle> {
  const { interesting, error } = order.case
  const { store } = oracleOrder.box
  const script = interesting === null ? null : await store.get(interesting)
  const reported = signatureOfErrorText(parseErrorText((await store.get(error)).toString('utf8')))
  let other: BugOracle | null = null
  for (let tries = 0; tries < CONFIRMING_RUNS; tries += 1) {
    const bug = await (script === null
      ? caseOracle(oracleOrder, original)
      : scriptOracle(oracleOrder, script, original))
    if (bug === null) continue
    if (script !== null || !isFailureHidden(reported, bug.signature)) return bug
    other ??= bug
  }
  if (other !== null) return other
  const expected = script === null ? 'to fail' : 'the interesting script to exit 0'
  const command = commandLine(order.case.command, `source.${order.case.language}`)
  throw new Failure(
    'Tool.Failed',
    `the source does not show the bug: expected ${expected} in one of ${CONFIRMING_RUNS} runs of "${command}"`,
  )
}

const CONFIRMING_RUNS = 3

async function startOf(
  box: CirctBox,
  { fileName, original, bug }: { fileName: string; original: string; bug: BugOracle },
): Promise<{ text: string; runs: number }> {
  const previous = await bestOfPrevious(box, fileName)
  if (previous === null || previous.text === original) return { text: original, runs: 0 }
  const { isSame } = await bug.inspect(previous.text)
  return { text: isSame ? previous.text : original, runs: previous.runs + 1 }
}

/** The result runs three times more. When none of them shows the bug, the honest answer is the source as it came. */
async function confirm(
  bug: BugOracle,
  { original, reduction }: { original: string; reduction: Reduction },
): Promise<Confirmed> {
  const runs = await Promise.all(Array.from({ length: CONFIRMING_RUNS }, () => bug.inspect(reduction.text)))
  const good = runs.filter((run) => run.isSame)
  const shown = good[0]
  if (shown !== undefined) return { reduction, text: reduction.text, confirmedRuns: good.length, ...shown }
  const source = await bug.inspect(original)
  return {
    reduction: { ...reduction, isOneMinimal: false },
    text: original,
    confirmedRuns: 0,
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
