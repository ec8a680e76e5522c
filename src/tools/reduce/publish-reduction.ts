import type { CaseOrder, MinimizeResult } from '../../contracts/circt.js'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { withoutMachinePaths } from '../../rules/reduce/machine-paths.js'
import { type MinimizeFacts, minimizeReport } from '../../rules/reduce/minimize-report.js'
import { lineCount, reductionPercent, sourceSize } from '../../rules/reduce/source-size.js'
import type { CirctBox } from '../circt/circt-box.js'
import type { BugOracle } from './case-oracle.js'
import { type OnePass, ONE_PASS_FILE } from './reduce-one-pass.js'
import type { Reduction } from './reduce-source.js'

/** A reduction after its last runs. */
export interface Confirmed {
  reduction: Reduction
  text: string
  signature: CrashSignature
  stderr: string
  /** Of the last `runs`. */
  confirmedRuns: number
  runs: number
}

export interface Publication {
  order: CaseOrder
  box: CirctBox
  original: string
  bug: BugOracle
  last: Confirmed
  /** See `reduceOnePass`. */
  onePass: OnePass | null
  earlierRuns: number
}

/** Puts the files into the store and sums the step up. */
export async function publishReduction(publication: Publication): Promise<MinimizeResult> {
  const { box } = publication
  const facts = factsOf(publication)
  const files = filesOf(publication, facts)
  const artifacts = await Promise.all(
    files.map(([name, content]) => box.store.put(name, content, name.endsWith('.md') ? 'text/markdown' : 'text/plain')),
  )
  return {
    original_lines: facts.original.lines,
    minimized_lines: facts.minimized.lines,
    reduction_percent: reductionPercent(facts.original.bytes, facts.minimized.bytes),
    oracle_runs: facts.runs,
    is_one_minimal: facts.isOneMinimal,
    signature: facts.after,
    note: facts.note,
    artifacts,
  }
}

function factsOf(publication: Publication): MinimizeFacts {
  const { order, original, bug, last, onePass, earlierRuns } = publication
  const { language, command } = order.case
  const { reduction, text, signature, confirmedRuns, runs } = last
  return {
    command: commandLine(command, `bug.${language}`),
    original: sourceSize(original, language),
    minimized: sourceSize(text, language),
    before: bug.signature,
    after: signature,
    passes: reduction.passes,
    runs: reduction.runs + earlierRuns,
    cacheHits: reduction.cacheHits,
    isOneMinimal: reduction.isOneMinimal,
    confirmedRuns,
    lastRuns: runs,
    note: noteOf(last, publication),
    onePass: onePass === null ? null : { lines: lineCount(onePass.text) - 1, runs: onePass.runs },
  }
}

function filesOf({ order, last, onePass }: Publication, facts: MinimizeFacts): [name: string, content: string][] {
  return [
    [`bug.${order.case.language}`, last.text],
    ['error.log', withoutMachinePaths(last.stderr)],
    ['command.txt', `${facts.command}\n`],
    ['minimize_report.md', minimizeReport(facts)],
    ['minimize.log', `${facts.passes.map((row) => JSON.stringify(row)).join('\n')}\n`],
    ...(onePass === null ? [] : [[ONE_PASS_FILE, withoutMachinePaths(onePass.text)] satisfies [string, string]]),
  ]
}

function noteOf(last: Confirmed, { box, bug }: Publication): string {
  const { reduction } = last
  const isWithoutStack = bug.signature.kind === 'crash' && bug.signature.frames.length === 0 && box.gdb === null
  const notes = [
    confirmation(last),
    END[reduction.end],
    isWithoutStack
      ? 'compared by kind, pass and message: the tool prints no stack and gdb is not installed'
      : undefined,
    reduction.passes.some((row) => row.wasRedone)
      ? 'a pass that slipped to another bug was undone and done again'
      : undefined,
  ].filter((note) => note !== undefined)
  return notes.length === 0 ? 'Reduced with the same signature.' : `${notes.join('; ')}.`
}

function confirmation({ confirmedRuns, runs }: Confirmed): string | undefined {
  if (confirmedRuns === runs) return undefined
  if (confirmedRuns === 0) return 'the reduced source did not show the bug again: the source is left as it came'
  return `flaky: ${confirmedRuns} of ${runs} last runs ${confirmedRuns === 1 ? 'shows' : 'show'} the bug`
}

const END = {
  complete: undefined,
  time: 'ended by its time limit with the best so far',
  runs: 'ended by its limit of oracle runs with the best so far',
}
