import type { ExitCode } from '../rules/cli-exit-codes.js'
import type { Env } from '../tools/state-home.js'
import type { Terminal } from './terminal.js'

/** A command as a declaration: commander, the help and the completion scripts are made of it. */
export interface Command {
  /** Words after `gauntlet`: ['status'] or ['run', 'circt']. */
  path: readonly [string, ...string[]]
  /** One line. */
  summary: string
  arguments?: readonly CommandArgument[]
  options?: readonly CommandOption[]
  /** Whole command lines for the end of --help. */
  examples: readonly [string, ...string[]]
  run(context: Context, input: CommandInput): Promise<Output>
}

export interface CommandArgument {
  /** 'RUN' or 'CASE_DIR', as help and error lines name it. */
  name: string
  summary: string
  isOptional?: boolean
}

export interface CommandOption {
  /** '--key <KEY>'; without a value it is a switch. */
  flags: string
  summary: string
  choices?: readonly string[]
  default?: string
  /** True when the shell should complete files and folders. */
  takesFile?: boolean
  /** True when it may be given several times; see `manyOption`. */
  isRepeatable?: boolean
}

/** What was typed. Options by camel-case name; absent ones are undefined. */
export interface CommandInput {
  args: Readonly<Record<string, string | undefined>>
  options: Readonly<Record<string, unknown>>
}

/** What a command gives back; one place prints it. */
export interface Output {
  exit: ExitCode
  /** The one document of --json. */
  json: unknown
  /** For people. Ends without a line break. */
  text: string
}

/** The world of a command. */
export interface Context {
  terminal: Terminal
  env: Env
  /** Absolute; created when missing. */
  home: string
  /** Where the command was typed, absolute. */
  cwd: string
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal
}

export function textOption({ options }: CommandInput, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** Every value of a repeatable option, in the order they were typed. */
export function manyOption({ options }: CommandInput, name: string): readonly string[] {
  const values = options[name]
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
}

export function hasOption({ options }: CommandInput, name: string): boolean {
  return options[name] === true
}

/** An argument that commander has made sure of. */
export function argument({ args }: CommandInput, name: string): string {
  const value = args[name]
  if (value === undefined) throw new Error(`argument ${name} is not declared`)
  return value
}
