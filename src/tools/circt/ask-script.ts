import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CaseCommand } from '../../contracts/circt.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import { CASE_LIMITS } from './case-limits.js'
import type { CirctBox, Toolchain } from './circt-box.js'

export interface ScriptQuestion {
  script: Uint8Array
  toolchain: Toolchain
  command: CaseCommand
  text: Uint8Array | string
  /** Usual name of the file in the script's working directory, e.g. 'source.sv'. */
  name: string
}

/**
 * Asks a user's script whether a text still shows the bug, as cvise would: the file's absolute path is its first argument, the file lies under its
 * usual name in the working directory, the toolchain is first on PATH; sandboxed and bounded. Exit code 0 means yes.
 * Throws `Failure('Tool.Missing')` when the script cannot be started (no `#!` line).
 */
export async function askScript(
  box: Pick<CirctBox, 'run' | 'scratch' | 'signal'>,
  ask: ScriptQuestion,
): Promise<ProcessOutcome> {
  const folder = await mkdtemp(join(box.scratch, 'ask-'))
  const work = join(folder, 'work')
  const script = join(folder, 'interesting')
  try {
    await mkdir(work)
    await writeFile(join(work, ask.name), ask.text)
    await writeFile(script, ask.script)
    await chmod(script, 0o755)
    const tools = dirname(ask.toolchain.pathOf(ask.command.tool))
    const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`, LC_ALL: 'C' }
    const outcome = await box.run({
      argv: [script, join(work, ask.name)],
      cwd: work,
      readable: [script, tools],
      env,
      limits: CASE_LIMITS,
      signal: box.signal,
    })
    box.signal.throwIfAborted()
    return outcome
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
