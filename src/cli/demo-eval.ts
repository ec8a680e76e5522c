import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from '../contracts/failures.js'
import { needsNoAgreement } from './agree-on-sandbox.js'
import type { CommandInput, Context, Output } from './command.js'
import { followEval } from './follow-eval.js'
import { PACKAGE_ROOT } from './package-version.js'

/** `gauntlet demo eval`: which of five solutions of one task is best, by six programs and no model. */
export async function demoEval(context: Context, input: CommandInput): Promise<Output> {
  const folder = fileURLToPath(new URL('examples/eval/', PACKAGE_ROOT))
  if (!existsSync(folder))
    throw new Failure('Tool.Missing', 'the bundled example examples/eval is missing from this installation')
  context.terminal.note(
    'five solutions of one task (examples/eval): one is good, one wrong, one slow, one insecure, one unreadable',
  )
  const allowUnsandboxed = await needsNoAgreement(context)
  const options = { ...input.options, ...demoOptions(folder) }
  return await followEval(context, { args: {}, options }, allowUnsandboxed)
}

/** As typed in the example's README. */
function demoOptions(folder: string): Record<string, unknown> {
  return {
    candidates: join(folder, 'candidates'),
    criteria: join(folder, 'criteria.txt'),
    key: 'demo',
    judge: [
      `examples=builtin:tests:${join(folder, 'checks')}`,
      `hostile=builtin:tests:${join(folder, 'hostile')}`,
      `speed=builtin:benchmark:${join(folder, 'bench')}`,
      'size=builtin:size',
      `danger=builtin:score:${join(folder, 'judges/danger.mjs')}`,
      `reading=builtin:score:${join(folder, 'judges/reading.mjs')}`,
    ],
  }
}
