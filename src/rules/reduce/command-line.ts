import type { CaseCommand } from '../../contracts/circt.js'

/** The command as one line to paste into a shell, with `fileName` for its input. */
export function commandLine(command: Pick<CaseCommand, 'tool' | 'args'>, fileName: string): string {
  return [command.tool, ...command.args.map((arg) => quoted(arg.replaceAll('{input}', fileName)))].join(' ')
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/u.test(arg) ? arg : `'${arg.replaceAll("'", String.raw`'\''`)}'`
}
