import { Argument, Command as Commander, Option } from 'commander'
import { mistake } from './cli-error.js'
import type { Command, CommandInput } from './command.js'

/** A typed command line that was understood: what to run, and with what. */
export interface Parsed {
  command: Command
  input: CommandInput
}

export interface ProgramIo {
  /** Help and version, for stdout. */
  write(text: string): void
  onCommand(parsed: Parsed): Promise<void>
}

/** Makes commander's program of the declarations. It never prints errors and never exits: it throws `CommanderError`. */
export function buildProgram(commands: readonly Command[], version: string, io: ProgramIo): Commander {
  const program = quiet(new Commander('gauntlet'), io)
    .description('Durable multi-agent pipelines on Temporal.')
    .version(version)
    .addHelpText('after', `\nExample:\n  $ gauntlet run circt ./my-crash\n\n${EXIT_CODES}`)
  for (const command of commands) addCommand(groupFor(program, command, io), command, io)
  return program
}

const EXIT_CODES = `Exit codes: 0 the good end, 1 an honest negative end, 2 a mistake in what was typed or given,
3 the engine could not do it, 130 interrupted (the run goes on).`

function groupFor(program: Commander, { path, examples }: Command, io: ProgramIo): Commander {
  const [group] = path
  if (path.length === 1) return program
  const existing = program.commands.find((each) => each.name() === group)
  if (existing !== undefined) return existing
  const made = quiet(new Commander(group), io)
    .description(GROUPS[group] ?? '')
    .usage('PIPELINE [options]')
    .addHelpText('after', `\nExample:\n  $ ${examples[0]}`)
  program.addCommand(made)
  return made
}

const GROUPS: Record<string, string> = {
  run: 'start a pipeline (or attach to its run) and follow it to its end',
  start: 'start a pipeline and return its id',
}

function addCommand(parent: Commander, command: Command, io: ProgramIo): void {
  const { path, summary, examples } = command
  const made = quiet(new Commander(path.at(-1) ?? ''), io)
    .description(summary)
    .allowExcessArguments(false)
  for (const each of command.arguments ?? []) {
    made.addArgument(new Argument(each.isOptional === true ? `[${each.name}]` : `<${each.name}>`, each.summary))
  }
  for (const each of command.options ?? []) made.addOption(optionOf(each))
  made.addHelpText(
    'after',
    `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((line) => `  $ ${line}`).join('\n')}`,
  )
  made.action(async () => {
    const names = (command.arguments ?? []).map((each) => each.name)
    const args = Object.fromEntries(names.map((name, at) => [name, made.args[at]]))
    await io.onCommand({ command, input: { args, options: made.opts() } })
  })
  parent.addCommand(made)
}

function optionOf(declared: NonNullable<Command['options']>[number]): Option {
  const { flags, summary, choices, default: standard, isRepeatable } = declared
  const option = new Option(flags, summary)
  const single = (value: string | undefined) => notAnOption(flags, value)
  const one = (value: string, earlier: string[] | undefined) => [...(earlier ?? []), single(value) ?? '']
  option.argParser<unknown>(
    isRepeatable === true ? (value, earlier) => one(value, earlier as string[] | undefined) : single,
  )
  if (choices !== undefined) option.choices([...choices])
  if (standard !== undefined) option.default(standard)
  return option
}

/** Commander takes whatever follows: `--key --json` would make a key of an option. A switch comes without a value. */
function notAnOption(flags: string, value: string | undefined): string | undefined {
  if (value?.startsWith('--') === true) throw mistake(flags.split(' ', 1)[0] ?? flags, 'a value', `the option ${value}`)
  return value
}

function quiet(command: Commander, io: ProgramIo): Commander {
  return command
    .exitOverride()
    .showSuggestionAfterError(false)
    .helpOption('-h, --help', 'say how to use it')
    .option('--json', 'print exactly one JSON document and nothing else')
    .configureOutput({ writeOut: (text) => io.write(text), writeErr: () => undefined })
}
