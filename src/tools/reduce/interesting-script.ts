import type { CrashSignature } from '../../contracts/crash-signature.js'
import { askScript } from '../circt/ask-script.js'
import type { BugOracle, CarefulRun, OracleOrder } from './case-oracle.js'

/** All that is known of a bug that a script recognises. */
export const INTERESTING: CrashSignature = {
  kind: 'interesting',
  signal: null,
  failing_pass: null,
  message: null,
  frames: [],
}

/**
 * The oracle of a user's script: see `askScript`; its exit code 0 means that the bug is still there. Null when it denies `text`.
 * Throws `Failure('Tool.Missing')` when the script cannot be started (no `#!` line).
 */
export async function scriptOracle(order: OracleOrder, script: Uint8Array, text: string): Promise<BugOracle | null> {
  const { toolchain, command, language } = order

  async function inspect(candidate: string, signal = order.box.signal): Promise<CarefulRun> {
    const box = { ...order.box, signal }
    // One name in all runs: a script may well know its file by name.
    const question = { script, toolchain, command, text: candidate, name: `source.${language}` }
    const { exitCode, stopped, stderr } = await askScript(box, question)
    return { signature: INTERESTING, isSame: exitCode === 0 && stopped === null, stderr }
  }

  const first = await inspect(text)
  if (!first.isSame) return null
  return { signature: INTERESTING, quick: async (...ask) => (await inspect(...ask)).isSame, careful: null, inspect }
}
