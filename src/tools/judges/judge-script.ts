import { join } from 'node:path'
import { ScoreAnswer } from '../../contracts/eval-score.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import { runCommand } from '../gates/run-command.js'
import type { Bench } from './judge-box.js'
import { firstLine } from './judge-tests.js'

/**
 * Runs a scoring script (JavaScript or Python) in the candidate's folder, which is its argument too. It prints one `ScoreAnswer` as JSON.
 * Throws `Failure('Agent.InvalidAnswer')` for another answer, `Tool.Failed` for another end than exit code 0.
 */
export async function judgeByScript({ box }: Bench, script: string): Promise<ScoreAnswer> {
  const interpreter = INTERPRETERS.find(({ ending }) => ending.test(script))?.name
  if (interpreter === undefined)
    throw new Failure('Contract.Violated', `${script}: expected a script that ends in .js, .mjs, .cjs or .py`)
  const end = await runCommand(box, { argv: [interpreter, join(box.scratch, 'tools', script), box.copy] })
  if ('missing' in end) throw new Failure('Tool.Missing', `${script}: ${end.missing}`)
  if (end.stopped !== null) throw new Failure('Tool.TimedOut', `${script}: ${end.stopped}`)
  if (!end.isGood) throw new Failure('Tool.Failed', `${script} ended with ${end.ending}: ${firstLine(end.tail)}`)
  try {
    return parseJson(ScoreAnswer, end.stdout, script)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure('Agent.InvalidAnswer', error.message, { cause: error })
  }
}

const INTERPRETERS = [
  { ending: /\.[cm]?js$/, name: 'node' },
  { ending: /\.py$/, name: 'python3' },
] as const
