import { join, relative, resolve } from 'node:path'
import { type CommandInput, type Context, textOption } from './command.js'

/** Same place as a worker's default: see `composeWorker`. */
export function storePathOf({ home, cwd, env }: Context, input: CommandInput): string {
  const given = textOption(input, 'store') ?? (env['GAUNTLET_STORE'] || undefined)
  return given === undefined ? join(home, 'store') : resolve(cwd, given)
}

/** As the person would type it. */
export function shownPath({ cwd }: Context, path: string): string {
  return relative(cwd, path) || '.'
}

export function followLineOf(workflowId: string): string {
  return `the run goes on when a worker is there; follow it with \`gauntlet watch ${workflowId}\``
}
