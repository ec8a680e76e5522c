import type { CaseOrder } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { FLAKY_RUNS, isWorthAnother, SURE_RUNS } from '../../rules/circt/run-counts.js'
import { isEndless, signatureOfErrorText } from '../../rules/circt/signature.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { type BugOracle, caseOracle, type OracleOrder } from './case-oracle.js'
import { scriptOracle } from './interesting-script.js'
import type { Oracle } from './oracle-cache.js'

export interface FoundBug {
  bug: BugOracle
  /** So many runs without the bug make a text free of it. */
  runs: number
}

/**
 * The bug in the source as it came, by the case's script or else by its command, and how often it must be asked for. Throws
 * `Failure('Tool.Failed')` when the source does not show one in three runs.
 */
export async function findBug(order: CaseOrder, oracleOrder: OracleOrder, original: string): Promise<FoundBug> {
  const { interesting, command, language } = order.case
  const found = interesting === null ? await byCommand(order, oracleOrder, original) : null
  const bug = interesting === null ? found : await byScript(oracleOrder, interesting, original)
  if (bug !== null) return await believed(bug, original, oracleOrder.box.signal)
  const expected = interesting === null ? 'to fail' : 'the interesting script to exit 0'
  const line = commandLine(command, `source.${language}`)
  throw new Failure(
    'Tool.Failed',
    `the source does not show the bug: expected ${expected} in one of ${SURE_RUNS} runs of "${line}"`,
  )
}

type ScriptFile = NonNullable<CaseOrder['case']['interesting']>

async function byScript(oracleOrder: OracleOrder, file: ScriptFile, original: string): Promise<BugOracle | null> {
  const script = await oracleOrder.box.store.get(file)
  for (let run = 0; run < SURE_RUNS; run += 1) {
    const bug = await scriptOracle(oracleOrder, script, original)
    if (bug !== null) return bug
  }
  return null
}

/** What error.txt reports comes before what else is seen: a flaky crash may hide behind a diagnostic most of the time. */
async function byCommand(order: CaseOrder, oracleOrder: OracleOrder, original: string): Promise<BugOracle | null> {
  const errorText = (await oracleOrder.box.store.get(order.case.error)).toString('utf8')
  const reported = signatureOfErrorText(parseErrorText(errorText))
  const begun = performance.now()
  let other: BugOracle | null = null
  for (let runs = 1; ; runs += 1) {
    const bug = await caseOracle(oracleOrder, original)
    if (bug !== null && !isFailureHidden(reported, bug.signature)) return bug
    other ??= bug
    const isOver = other === null ? runs === SURE_RUNS : !isWorthAnother({ runs, elapsedMs: performance.now() - begun })
    if (isOver) return other
  }
}

/** Runs that take to their limit are not repeated. */
async function believed(bug: BugOracle, original: string, signal: AbortSignal): Promise<FoundBug> {
  if (isEndless(bug.signature.kind)) return { bug, runs: SURE_RUNS }
  const again = await Promise.all(Array.from({ length: SURE_RUNS - 1 }, () => bug.quick(original, signal)))
  return again.every(Boolean) ? { bug, runs: SURE_RUNS } : { bug: persistent(bug), runs: FLAKY_RUNS }
}

/** Asks of each text several times before it counts as free of the bug. */
function persistent(bug: BugOracle): BugOracle {
  return { ...bug, quick: persist(bug.quick), careful: bug.careful === null ? null : persist(bug.careful) }
}

function persist(ask: Oracle): Oracle {
  return async (text, signal) => {
    for (let run = 0; run < FLAKY_RUNS; run += 1) if (await ask(text, signal)) return true
    return false
  }
}
