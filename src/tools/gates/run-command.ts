import { mkdir, mkdtemp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { ProcessLimits, ProcessOutcome } from '../../contracts/process.js'
import { plainText } from '../../rules/cli-progress.js'
import { dependencyFolders, type GateBox } from './gate-box.js'
import type { CommandPlan } from './gate-plan.js'
import { resolveCommand } from './resolve-command.js'

/** How a gate's command ended. */
export interface CommandEnd {
  /** As planned, for people. */
  command: string[]
  seconds: number
  exitCode: number | null
  /** Null when it ended by itself, else why not, as a sentence without its subject. */
  stopped: string | null
  /** 'exit code 2' or 'SIGKILL', or what stopped it. */
  ending: string
  tail: string
  /** All that was kept of stdout. */
  stdout: string
  /** Folder of the reports, absolute. */
  reports: string
  isGood: boolean
}

/** A program that is not there, in one line. */
export interface CommandMissing {
  missing: string
}

/** Runs the commands of a plan in the copy. Throws the signal's reason when it was cancelled, never for how the commands end. */
export async function runCommand(
  box: GateBox,
  plan: CommandPlan,
  special: { cwd?: string; hasNetwork?: boolean } = {},
): Promise<CommandEnd | CommandMissing> {
  const reports = await mkdtemp(join(box.scratch, 'reports-'))
  await mkdir(join(box.scratch, 'home', 'tmp'), { recursive: true })
  try {
    const first = await runOne(box, plan, { ...special, reports, words: plan.argv })
    if (plan.after === undefined) return first
    const second = await runOne(box, plan, { ...special, reports, words: plan.after })
    return { ...first, seconds: first.seconds + second.seconds, tail: lastLines(`${first.tail}\n${second.tail}`) }
  } catch (error) {
    if (error instanceof Failure && error.type === 'Tool.Missing') return { missing: error.message }
    throw error
  }
}

interface OneOrder {
  reports: string
  words: readonly string[]
  cwd?: string
  hasNetwork?: boolean
}

async function runOne(box: GateBox, plan: CommandPlan, order: OneOrder): Promise<CommandEnd> {
  const { reports, cwd = box.copy } = order
  const fill = (word: string) => word.replaceAll('{report}', join(reports, 'report')).replaceAll('{reports}', reports)
  const { argv, readable } = resolveCommand(box, order.words.map(fill))
  const dependencies = dependencyFolders(box)
  const own = Object.fromEntries(Object.entries(plan.env ?? {}).map(([name, value]) => [name, fill(value)]))
  const limits = { ...box.limits, ...(plan.seconds === undefined ? {} : { timeMs: plan.seconds * 1000 }) }
  const outcome = await box.run({
    argv,
    cwd,
    readable: [
      ...readable,
      process.execPath,
      join(box.scratch, 'tools'),
      ...(cwd === box.copy ? dependencies.readable : []),
    ],
    writable: [reports, join(box.scratch, 'home'), ...(cwd === box.copy ? dependencies.writable : [])],
    env: { ...environmentOf(box), ...own },
    limits,
    hasNetwork: order.hasNetwork ?? false,
    signal: box.signal,
  })
  box.signal.throwIfAborted()
  const ending = endingOf(outcome, limits)
  return {
    command: order.words.map((word) => shown(box, word)),
    seconds: outcome.durationMs / 1000,
    exitCode: outcome.exitCode,
    ...ending,
    tail: shown(box, lastLines(`${outcome.stdout}\n${outcome.stderr}`)),
    stdout: outcome.stdout,
    reports,
    isGood: outcome.exitCode === 0 && outcome.stopped === null,
  }
}

/** Nothing of the person's. `CI` keeps runners from watching and from writing snapshots. */
function environmentOf({ copy, scratch, isSandboxed }: GateBox): Record<string, string> {
  const home = join(scratch, 'home')
  return {
    PATH: [join(copy, 'node_modules/.bin'), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    ...(isSandboxed ? {} : { TMPDIR: join(home, 'tmp') }),
    CI: '1',
    NO_COLOR: '1',
    LANG: 'C.UTF-8',
    PYTHONDONTWRITEBYTECODE: '1',
    npm_config_cache: join(home, 'npm'),
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
  }
}

function endingOf(outcome: ProcessOutcome, limits: ProcessLimits): Pick<CommandEnd, 'stopped' | 'ending'> {
  const { stopped, exitCode, signal } = outcome
  if (stopped === null) return { stopped: null, ending: signal ?? `exit code ${exitCode}` }
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MB`
  const why = {
    time: `did not end within ${limits.timeMs / 1000} s and was stopped`,
    memory: `used more than ${megabytes(limits.memoryBytes)} of memory and was stopped`,
    output: `printed more than ${megabytes(limits.outputBytes)} and was stopped`,
    processes: `had more than ${limits.processes} processes and threads at once and was stopped`,
    file_size: `wrote a file of more than ${megabytes(limits.fileBytes)}`,
    disk_space: `wrote more than ${megabytes(limits.diskBytes ?? 0)} in all and was stopped`,
    network: 'asked for a network and was stopped',
    cancelled: 'was cancelled',
  }[stopped]
  return { stopped: `the command ${why}`, ending: `the command ${why}` }
}

/** Enough to see what went wrong; control characters of strangers stay out. */
function lastLines(text: string): string {
  const lines = plainText(text.replaceAll(ESCAPES, '')).trimEnd().split('\n').slice(-keptLines)
  return lines.join('\n').trim().slice(-keptCharacters)
}

const keptLines = 40
const keptCharacters = 4000
/** Colours and cursor moves of terminals. */
const ESCAPES = new RegExp(String.raw`\u001b\[[\d;?]*[A-Za-z]`, 'g')

/** Paths of this machine say nothing to anybody, and tell on it. */
export function shown({ copy, scratch }: Pick<GateBox, 'copy' | 'scratch'>, text: string): string {
  return text.replaceAll(copy, '.').replaceAll(scratch, '{scratch}')
}
