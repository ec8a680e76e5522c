import { join } from 'node:path'
import { Failure } from '../contracts/failures.js'
import type { SandboxKind } from '../tools/process/sandbox.js'
import { type CommandInput, type Context, hasOption } from './command.js'

/** True when the run may go without a sandbox: none is to be had, and the person agreed. Throws `Failure('Tool.Missing')` otherwise. */
export async function agreeOnSandbox(context: Context, input: CommandInput): Promise<boolean> {
  const sandbox = await sandboxOf(context)
  if (sandbox.kind !== 'none') return false
  const why = `no sandbox: ${sandbox.reason}`
  if (hasOption(input, 'unsandboxed')) {
    context.terminal.note(`${why}; going on unsandboxed, as asked`)
    return true
  }
  if (context.terminal.canAsk) {
    const line = await context.terminal.ask(`${why}. Run programs we do not own without one? [y/N] `, context.signal)
    if (/^y(es)?$/i.test(line?.trim() ?? '')) return true
  }
  throw new Failure('Tool.Missing', `${why}; install bubblewrap, or agree with --unsandboxed`)
}

/** It is our own input: nobody has to agree to it. */
export async function needsNoAgreement(context: Context): Promise<boolean> {
  const sandbox = await sandboxOf(context)
  if (sandbox.kind !== 'none') return false
  context.terminal.note(`unsandboxed, since ${sandbox.reason}; the demo runs only input of our own`)
  return true
}

/** Tried where workers try it too: what a killed process leaves there is swept. */
async function sandboxOf({ home }: Context): Promise<SandboxKind> {
  const { detectSandbox } = await import('../tools/process/sandbox.js')
  return await detectSandbox(join(home, 'scratch'))
}
