import type { Command as Commander, CommanderError } from 'commander'
import type { Failure } from '../contracts/failures.js'
import { mistake } from './cli-error.js'

/** What commander complains of, as one line that names the field, what was expected and what came. Null when it is none: help, version. */
export function usageMistake(error: CommanderError, program: Commander, argv: readonly string[]): Failure | null {
  if (error.exitCode === 0) return null
  const [first = '', second = ''] = [...error.message.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '')
  const complaint = COMPLAINTS[error.code] ?? otherwise
  return complaint({ first, second, message: error.message.replace(/^error: /, ''), group: groupOf(program, argv) })
}

interface Complaint {
  /** What commander put in quotes, in order. */
  first: string
  second: string
  message: string
  /** Where a subcommand was expected: its field's name and what there is. */
  group: { field: string; names: string }
}

/** By commander's code. */
const COMPLAINTS: Record<string, (complaint: Complaint) => Failure> = {
  'commander.missingArgument': ({ first }) => mistake(first, 'a value', 'nothing'),
  'commander.optionMissingArgument': ({ first }) => mistake(flagOf(first), 'a value', 'nothing'),
  'commander.unknownOption': ({ first }) => mistake(first, 'an option that --help lists', 'one that does not exist'),
  'commander.unknownCommand': ({ first, group }) => mistake(group.field, `one of ${group.names}`, `"${first}"`),
  'commander.excessArguments': () => mistake('arguments', 'no more than --help lists', 'too many'),
  'commander.invalidArgument': ({ first, second, message }) =>
    mistake(flagOf(first), message.replace(/^.*Allowed choices are (.*)\.$/, 'one of $1'), `"${second}"`),
  // `gauntlet run` with nothing behind it.
  'commander.help': ({ group }) => mistake(group.field, `one of ${group.names}`, 'nothing'),
}

function otherwise({ message }: Complaint): Failure {
  return mistake('command line', 'what --help shows', message)
}

function groupOf(program: Commander, argv: readonly string[]): Complaint['group'] {
  const word = argv.find((each) => !each.startsWith('-'))
  const group = program.commands.find((each) => each.name() === word && each.commands.length > 0)
  const names = (group ?? program).commands.map((each) => each.name()).join(', ')
  return { field: group === undefined ? 'command' : 'PIPELINE', names }
}

/** "--schedule <SCHEDULE>" → "--schedule" */
function flagOf(flags: string): string {
  return flags.split(/[ ,]/, 1)[0] ?? flags
}
