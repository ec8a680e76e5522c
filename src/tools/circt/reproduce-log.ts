import type { ProcessOutcome } from '../../contracts/process.js'
import { commandLine } from '../../rules/reduce/command-line.js'
import { withoutMachinePaths } from '../../rules/reduce/machine-paths.js'
import type { ReproductionFacts } from './reproduce-crash.js'

/** reproduce.log: the command, and for each run how it ended, what it used and what it printed (bounded), without paths of this machine. */
export function reproduceLog({ order, source, toolchain, runs, verdict, reference }: ReproductionFacts): string {
  const head = [
    `command: ${commandLine(order.case.command, source.name)}`,
    `tool version: ${toolchain?.version ?? 'unknown'}`,
    `reported: ${JSON.stringify(reference)}`,
    `reproduced: ${verdict.reproduced} (${verdict.match_result}), ${verdict.reproduced_runs} of ${runs.length} runs`,
  ]
  return [...head, ...runs.flatMap((run, index) => ['', ...describeRun(run, index)]), ''].join('\n')
}

function describeRun({ outcome, signature }: ReproductionFacts['runs'][number], index: number): string[] {
  const ending = outcome.stopped === null ? [outcome.signal ?? `exit code ${outcome.exitCode}`] : []
  const end = [...ending, ...stopWords(outcome)].join(', ')
  const megabytes = Math.round(outcome.peakMemoryBytes / 1024 ** 2)
  return [
    `--- run ${index + 1}: ${end}, ${Math.round(outcome.durationMs)} ms, ${megabytes} MB${outcome.isSandboxed ? '' : ', unsandboxed'}`,
    `signature: ${JSON.stringify(signature)}`,
    withoutMachinePaths(outcome.stderr.slice(0, MAX_SHOWN)).trimEnd(),
  ]
}

/** Names what the engine had to stop, and what the sandbox was seen to refuse. */
export function stopWords({ stopped, refused }: Pick<ProcessOutcome, 'stopped' | 'refused'>): string[] {
  const refusals = refused.filter((what) => what !== stopped).map((what) => `refused: ${REFUSALS[what]}`)
  return [...(stopped === null ? [] : [`stopped: ${STOPS[stopped]}`]), ...refusals]
}

const STOPS = {
  time: 'time',
  memory: 'memory',
  output: 'output',
  processes: 'processes',
  file_size: 'file size',
  disk_space: 'disk space',
  network: 'it reached for the network',
  cancelled: 'cancelled',
} as const

const REFUSALS = { write_outside: 'a write outside its folder', network: 'the network' } as const

/** Characters of one run's stderr that the log keeps. */
const MAX_SHOWN = 20_000
