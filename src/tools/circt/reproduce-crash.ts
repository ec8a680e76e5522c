import { MetadataFile } from '../../contracts/circt-files.js'
import type { CaseOrder, ReproduceResult } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { judgeReproduction, type Reproduction } from '../../rules/circt/match-reproduction.js'
import { isFailureHidden } from '../../rules/circt/match-signatures.js'
import { isWorthAnother, SURE_RUNS } from '../../rules/circt/run-counts.js'
import { signatureOfErrorText } from '../../rules/circt/signature.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { askScript } from './ask-script.js'
import { readCaseSource, toolchainOf, type CaseSource } from './case-source.js'
import type { CirctBox, Toolchain } from './circt-box.js'
import { reproduceLog, stopWords } from './reproduce-log.js'
import { runCase, type SeenCase } from './run-case.js'

/**
 * Runs the case three times, or more often for a crash that does not come up, and says how often the outcome that `error.txt` reports was seen, plain diagnostics included. With an `interesting`
 * script its exit code 0 is that outcome. Publishes metadata.json and reproduce.log, free of paths of this machine.
 * A missing tool is `inconclusive`, as is a time limit where the error text reports no hang.
 */
export async function reproduceCrash(order: CaseOrder, box: CirctBox): Promise<ReproduceResult> {
  const source = await readCaseSource(order.case, box)
  const reference = signatureOfErrorText(parseErrorText(source.errorText))
  const toolchain = await toolchainOf(order.case, box)
  const runs = toolchain === null ? [] : await runSome(order, box, { source, toolchain, reference })
  const expected = order.case.interesting === null ? reference : INTERESTING
  const verdict = judgeReproduction(
    expected,
    runs.map((run) => run.signature),
  )
  const facts = { order, source, reference, toolchain, runs, verdict }
  const artifacts = await Promise.all([
    box.store.put('metadata.json', `${JSON.stringify(metadataOf(facts), null, 2)}\n`, 'application/json'),
    box.store.put('reproduce.log', reproduceLog(facts), 'text/plain'),
  ])
  const { run, ...judged } = verdict
  return {
    ...judged,
    runs: runs.length,
    tool_version: toolchain?.version ?? order.case.command.version,
    exit_code: runs[run]?.outcome.exitCode ?? null,
    is_sandboxed: runs.length > 0 && runs.every((each) => each.outcome.isSandboxed),
    note: noteOf(facts).slice(0, 400),
    artifacts,
  }
}

/** Everything the step found out. */
export interface ReproductionFacts {
  order: CaseOrder
  source: CaseSource
  /** What error.txt reports. */
  reference: CrashSignature | null
  toolchain: Toolchain | null
  runs: readonly Pick<SeenCase, 'outcome' | 'signature'>[]
  verdict: Reproduction
}

const INTERESTING: CrashSignature = { kind: 'interesting', signal: null, failing_pass: null, message: null, frames: [] }

type Given = { source: CaseSource; toolchain: Toolchain; reference: CrashSignature | null }

/** The first run alone: the others then share the machine with nothing that they do not know. All settle before one may fail the step. */
async function runSome(order: CaseOrder, box: CirctBox, given: Given): Promise<ReproductionFacts['runs']> {
  const begun = performance.now()
  const runs = [await runOnce(order, box, given)]
  const others = await Promise.allSettled(Array.from({ length: SURE_RUNS - 1 }, async () => runOnce(order, box, given)))
  for (const other of others) {
    if (other.status === 'rejected') throw other.reason
    runs.push(other.value)
  }
  // Nothing but diagnostics and clean ends where a failure of the compiler is reported: it may be a flaky one.
  const isHidden = () => runs.every(({ signature }) => isFailureHidden(given.reference, signature))
  const isWorthIt = () => isWorthAnother({ runs: runs.length, elapsedMs: performance.now() - begun })
  while (order.case.interesting === null && isWorthIt() && isHidden()) runs.push(await runOnce(order, box, given))
  box.heartbeat({ runs: runs.length })
  return runs
}

async function runOnce(order: CaseOrder, box: CirctBox, { source, toolchain }: Given) {
  const { command, interesting } = order.case
  if (interesting === null) {
    const { name, text } = source
    return runCase({ box, toolchain, command, inputText: text, inputName: name, wantPass: true, wantFrames: 'printed' })
  }
  const script = await box.store.get(interesting)
  const outcome = await askScript(box, { script, toolchain, command, text: source.text, name: source.name })
  const kind = outcome.exitCode === 0 && outcome.stopped === null ? 'interesting' : 'none'
  return { outcome, signature: { ...INTERESTING, kind } satisfies CrashSignature }
}

function metadataOf(facts: ReproductionFacts): MetadataFile {
  const { order, source, toolchain, runs, verdict, reference } = facts
  const { tool, version } = order.case.command
  const outcome = runs[verdict.run]?.outcome
  return MetadataFile.parse({
    version: '1.0',
    timestamp: new Date().toISOString(),
    input: { error_file: 'error.txt', source_file: source.name },
    tool: { name: tool, version: toolchain?.version ?? version, path: tool },
    reproduction: {
      command: commandLine(order.case.command, source.name),
      exit_code: outcome?.exitCode ?? null,
      signal: outcome?.signal ?? null,
      reproduced: verdict.reproduced,
      match_result: verdict.match_result,
      runs: runs.length,
      reproduced_runs: verdict.reproduced_runs,
      sandboxed: runs.length > 0 && runs.every((run) => run.outcome.isSandboxed),
    },
    crash_signature: { original: reference, reproduced: verdict.signature },
    files: { reproduce_log: 'reproduce.log' },
  })
}

/** What the counts do not tell. */
function noteOf(facts: ReproductionFacts): string {
  const { order, toolchain, runs, verdict } = facts
  const { tool, version } = order.case.command
  if (toolchain === null) return `${tool} ${version ?? ''} is not installed here, so nothing could be tried`
  const seen = verdict.signature?.kind.replace('_', ' ') ?? 'nothing'
  const stops = stopsOf(runs)
  switch (verdict.reproduced) {
    case 'inconclusive':
      return `out of time, and error.txt reports no hang${stops}`
    case false:
      return `${seen === 'none' ? 'clean exit' : seen}${stops}`
    case true:
      return `${seen}${flagsOf(facts)}${stops}`
    default:
      return verdict.reproduced satisfies never
  }
}

function flagsOf({ order, verdict, reference }: ReproductionFacts): string {
  if (order.case.interesting !== null) return ''
  if (reference === null) return '; error.txt reports nothing, so the first run is the reference'
  if (verdict.match_result !== 'different_crash') return ''
  return ', not what error.txt reports: the report is about what is seen now'
}

function stopsOf(runs: ReproductionFacts['runs']): string {
  const words = runs.flatMap(({ outcome }) => stopWords(outcome))
  return words.length === 0 ? '' : ` (${[...new Set(words)].join(', ')})`
}
