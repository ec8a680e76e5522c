import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CrashSignature } from '../../contracts/crash-signature.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import { CASE_LIMITS } from '../circt/case-limits.js'
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
 * The oracle of a user's script, as in cvise: it gets the source's file name as its first argument, in a fresh folder with that file,
 * with the toolchain first on PATH, sandboxed and bounded; exit 0 means that the bug is still there. Null when it denies `text`.
 * Throws `Failure('Tool.Missing')` when the script cannot be started (no `#!` line).
 */
export async function scriptOracle(order: OracleOrder, script: Uint8Array, text: string): Promise<BugOracle | null> {
  const folder = await mkdtemp(join(order.box.scratch, 'script-'))
  const path = join(folder, 'interesting')
  await writeFile(path, script)
  await chmod(path, 0o755)

  async function inspect(candidate: string, signal = order.box.signal): Promise<CarefulRun> {
    const { exitCode, stopped, stderr } = await runScript(order, { path, candidate, signal })
    return { signature: INTERESTING, isSame: exitCode === 0 && stopped === null, stderr }
  }

  const first = await inspect(text)
  if (!first.isSame) return null
  return { signature: INTERESTING, quick: async (...ask) => (await inspect(...ask)).isSame, careful: null, inspect }
}

interface ScriptRun {
  path: string
  candidate: string
  signal: AbortSignal
}

async function runScript(order: OracleOrder, { path, candidate, signal }: ScriptRun): Promise<ProcessOutcome> {
  const { box, toolchain, command, language } = order
  const tools = dirname(toolchain.pathOf(command.tool))
  const name = `bug.${language}`
  const cwd = await mkdtemp(join(box.scratch, 'run-'))
  try {
    await writeFile(join(cwd, name), candidate)
    const outcome = await box.run({
      argv: [path, name],
      cwd,
      readable: [path, tools],
      env: { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`, LC_ALL: 'C' },
      limits: CASE_LIMITS,
      signal,
    })
    signal.throwIfAborted()
    return outcome
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
