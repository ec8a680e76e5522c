import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ScoreAnswer } from '../../contracts/eval-score.js'
import { Failure } from '../../contracts/failures.js'
import { type CommandEnd, runCommand } from '../gates/run-command.js'
import type { Bench } from './judge-box.js'
import { firstLine } from './judge-tests.js'

/**
 * The fastest of five runs of `bench.js` (or `.mjs`, `.cjs`, `.py`), in seconds by our own clock, the start of the program included. A
 * benchmark that fails, or does not end in a fifth of the limit, has 0.
 */
export async function judgeByBenchmark({ box }: Bench): Promise<ScoreAnswer> {
  const program = PROGRAMS.find(({ file }) => existsSync(join(box.copy, file)))
  if (program === undefined) throw new Failure('Tool.Missing', 'benchmark: expected a file bench.js, .mjs, .cjs or .py')
  const seconds = Math.max(1, Math.floor(box.limits.timeMs / 1000 / RUNS))
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const end = await runCommand(box, { argv: [program.with, program.file], seconds })
    if ('missing' in end) throw new Failure('Tool.Missing', `benchmark: ${end.missing}`)
    if (!end.isGood) return failed(end)
    times.push(end.seconds)
  }
  const value = Math.min(...times)
  return {
    score: null,
    measured: { value, unit: 's', better: 'lower' },
    reasons: [`${value.toFixed(3)} s, the fastest of ${RUNS} runs`],
    findings: [],
    angle: 'performance',
  }
}

const RUNS = 5

const PROGRAMS = [
  { file: 'bench.js', with: 'node' },
  { file: 'bench.mjs', with: 'node' },
  { file: 'bench.cjs', with: 'node' },
  { file: 'bench.py', with: 'python3' },
] as const

function failed({ ending, tail }: CommandEnd): ScoreAnswer {
  const title = firstLine(`the benchmark ended with ${ending}`)
  const last = tail.split('\n').at(-1) ?? ''
  return {
    score: 0,
    measured: null,
    reasons: [title, ...(last === '' ? [] : [firstLine(last)])],
    findings: [{ title, severity: 'Major' }],
    angle: 'performance',
  }
}
