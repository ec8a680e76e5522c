import { CommanderError } from 'commander'
import { EXIT, type ExitCode } from '../rules/cli-exit-codes.js'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { type Env, stateHome } from '../tools/state-home.js'
import { describeError, mistake } from './cli-error.js'
import { commandsFor } from './commands/all-commands.js'
import { packageVersion } from './package-version.js'
import { printError, printOutput } from './print.js'
import { buildProgram, type Parsed } from './program.js'
import { openTerminal, type Streams, type Terminal } from './terminal.js'
import { usageMistake } from './usage-error.js'

export interface CliWorld {
  streams: Streams
  env: Env
  cwd: string
  signal: AbortSignal
}

/** Runs one command line (without `node` and the script) and returns its exit code. Prints; never throws, never exits. */
export async function runCli(argv: readonly string[], world: CliWorld): Promise<ExitCode> {
  const { streams, env } = world
  const beforeDashes = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const terminal = openTerminal(streams, env, beforeDashes.includes('--json'))
  let exit: ExitCode = EXIT.good
  const program = buildProgram(await commandsFor(argv), versionFor(terminal), {
    write: (text) => terminal.out(text),
    onCommand: async (parsed) => {
      exit = await runCommand(parsed, terminal, world)
    },
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exit
  } catch (error) {
    const usage = error instanceof CommanderError ? usageMistake(error, program, argv) : error
    return usage === null ? EXIT.good : endWith(usage, terminal, env)
  }
}

function versionFor({ isJson }: Terminal): string {
  const version = packageVersion()
  return isJson ? JSON.stringify({ version }, null, 2) : version
}

async function runCommand({ command, input }: Parsed, terminal: Terminal, world: CliWorld): Promise<ExitCode> {
  const { env, cwd, signal } = world
  const context = {
    terminal,
    env,
    cwd,
    signal,
    // Made when it is first asked for: what only calculates leaves nothing on the disk.
    get home() {
      return homeOf(env)
    },
  }
  const output = await command.run(context, input)
  terminal.draw([])
  printOutput(terminal, output)
  return output.exit
}

function homeOf(env: Env): string {
  try {
    return stateHome(env)
  } catch (error) {
    const given = JSON.stringify(env['GAUNTLET_HOME'] || 'the default')
    throw mistake(
      'GAUNTLET_HOME',
      'a folder that this user may make and write',
      `${given}: ${systemReason(error).reason}`,
    )
  }
}

function endWith(error: unknown, terminal: Terminal, env: Env): ExitCode {
  terminal.draw([])
  const described = describeError(error)
  printError(terminal, described)
  if (env['GAUNTLET_DEBUG'] === '1' && error instanceof Error) process.stderr.write(`${error.stack ?? error.message}\n`)
  return described.exit
}
