import { CaseCommand, type SourceLanguage } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { readCommand } from '../../rules/circt/command.js'
import { parseErrorText } from '../../rules/circt/error-text.js'

/**
 * The command a person gave with `--command`. `sourceName` is the source's file name in the case folder.
 * Throws `Failure('Contract.Violated')` naming `command`, what came and what is expected.
 */
export function parseCommand(text: string, sourceName: string): CaseCommand {
  const read = readCommand({ line: text, isArgv: false }, [sourceName])
  if ('problem' in read) throw violation(text, read.problem)
  return CaseCommand.parse(read.command)
}

/**
 * The command that `error.txt` shows, cut at the crashing tool when it was part of a pipeline; null when it shows none.
 * A line without the source's name (it came by a pipe) gets the source as its last argument. Throws as `parseCommand` does.
 */
export function commandOfErrorText(errorText: string, sourceName: string): CaseCommand | null {
  const { command: shown, version } = parseErrorText(errorText)
  if (shown === null) return null
  const read = readCommand(shown, [sourceName])
  if ('command' in read) return CaseCommand.parse({ ...read.command, version: read.command.version ?? version })
  const withSource = readCommand({ ...shown, line: `${shown.line} {input}` }, [sourceName])
  if (!read.problem.startsWith('it has no place') || 'problem' in withSource) throw violation(shown.line, read.problem)
  return CaseCommand.parse({ ...withSource.command, version: withSource.command.version ?? version })
}

/** What a source of this language is given to when nobody said how it was run; the release as `error.txt` names it. */
export function defaultCommand(language: SourceLanguage, errorText: string): CaseCommand {
  return { tool: DEFAULT_TOOLS[language], version: parseErrorText(errorText).version, args: ['{input}'] }
}

const DEFAULT_TOOLS = { sv: 'circt-verilog', fir: 'firtool', mlir: 'circt-opt' } as const satisfies Record<
  SourceLanguage,
  CaseCommand['tool']
>

function violation(text: string, problem: string): Failure {
  const came = text.length > 120 ? `${text.slice(0, 117)}...` : text
  const expected = "expected one tool of the CIRCT toolchain with its arguments, such as 'firtool {input}'"
  return new Failure('Contract.Violated', `command: ${expected}; got '${came}': ${problem}`)
}
