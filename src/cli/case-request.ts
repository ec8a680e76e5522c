import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { z } from 'zod'
import { type CaseCommand, CirctInput } from '../contracts/circt.js'
import { Failure } from '../contracts/failures.js'
import { GitHubIssue } from '../contracts/github-issue.js'
import { parseContract, parseJson } from '../contracts/parse.js'
import { RunKey } from '../contracts/run.js'
import { parseDuration } from '../rules/cli-duration.js'
import { keyFromName } from '../rules/cli-key.js'
import { type CaseFolder, readCaseFolder } from '../tools/case-folder/read-case-folder.js'
import { commandOfErrorText, parseCommand } from '../tools/circt/case-command.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { mistake } from './cli-error.js'
import { argument, type CommandInput, type Context, hasOption, textOption } from './command.js'

/** What a person asked for with `run circt` or `start circt`: read and checked, nothing written, no server touched yet. */
export interface CaseRequest {
  folder: CaseFolder
  key: string
  command: CaseCommand
  interesting: Buffer | null
  issues: Buffer | null
  repo: string
  schedule: CirctInput['schedule']
  answerWithinSeconds: number
}

/** Throws `Failure` with one line that names the option or file, what was expected and what came. */
export async function readCaseRequest(context: Context, input: CommandInput): Promise<CaseRequest> {
  const path = resolve(context.cwd, caseFolder(input))
  const folder = await readCaseFolder(path)
  return {
    folder,
    key: keyOf(input, path),
    command: commandOf(input, folder),
    interesting: await fileOption(context, input, { option: 'interesting', maxBytes: 1_000_000 }),
    issues: await issuesOption(context, input),
    repo: repoOption(input),
    schedule: parseContract(CirctInput.shape.schedule, textOption(input, 'schedule') ?? 'eager', '--schedule'),
    answerWithinSeconds: patience(context, input),
  }
}

/** An unset variable leaves '', which would be the folder one stands in. */
function caseFolder(input: CommandInput): string {
  const given = argument(input, 'CASE_DIR')
  if (given === '') throw mistake('CASE_DIR', 'a folder with source.{sv,fir,mlir} and error.txt', '""')
  return given
}

/** `--repo`, which goes into addresses: '..' as a part would lead elsewhere. Throws a mistake of the person. */
export function repoOption(input: CommandInput): string {
  const given = textOption(input, 'repo') ?? DEFAULT_REPO
  const isRepo = CirctInput.shape.repo.safeParse(given).success && !given.split('/').some((part) => /^\.+$/.test(part))
  if (!isRepo) throw mistake('--repo', 'owner/name', JSON.stringify(given))
  return given
}

export const DEFAULT_REPO = 'llvm/circt'

function keyOf(input: CommandInput, path: string): string {
  const given = textOption(input, 'key')
  if (given === undefined) return keyFromName(basename(path))
  if (RunKey.safeParse(given).success) return given
  throw mistake(
    '--key',
    '1 to 120 letters, digits, dots, dashes, underscores or colons, a letter or digit first',
    JSON.stringify(given),
  )
}

/** What was typed, else what error.txt shows, else what the folder itself says. */
function commandOf(input: CommandInput, { source, error, command }: CaseFolder): CaseCommand {
  const given = textOption(input, 'command')
  if (given !== undefined) return parseCommand(given, source.name)
  const shown = commandOfErrorText(error.content.toString('utf8'), source.name)
  if (shown !== null) return shown
  if (command === null) {
    throw new Failure(
      'Case.Incomplete',
      "command: expected --command 'firtool {input}', a command in error.txt, or command.txt in the case folder, got none of them",
    )
  }
  return 'command' in command ? command.command : parseCommand(command.line, source.name)
}

async function issuesOption(context: Context, input: CommandInput): Promise<Buffer | null> {
  const content = await fileOption(context, input, { option: 'issues', maxBytes: 100_000_000 })
  if (content !== null) parseJson(z.array(GitHubIssue), content.toString('utf8'), '--issues')
  return content
}

async function fileOption(
  { cwd }: Context,
  input: CommandInput,
  { option, maxBytes }: { option: string; maxBytes: number },
): Promise<Buffer | null> {
  const given = textOption(input, option)
  if (given === undefined) return null
  const label = `--${option}: expected a file, got ${JSON.stringify(basename(given))}`
  const content = await readBounded(resolve(cwd, given), maxBytes, label)
  if (content.length === 0) throw mistake(`--${option}`, 'a file with some content', 'an empty one')
  return content
}

/** Nobody there to answer means that every default stands at once. */
export function patience({ terminal }: Context, input: CommandInput): number {
  const given = textOption(input, 'answerWithin')
  const seconds = parseDuration(given ?? '24h')
  if (seconds === null || seconds > YEAR)
    throw mistake('--answer-within', "a time like '90s', '30m', '24h' or '7d'", JSON.stringify(given))
  return terminal.canAsk || hasOption(input, 'ask') ? seconds : 0
}

const YEAR = 31_536_000

/** A folder an option names, absolute. */
export async function folderOption({ cwd }: Context, input: CommandInput, name: string): Promise<string | undefined> {
  const given = textOption(input, name)
  if (given === undefined) return undefined
  const path = resolve(cwd, given)
  const stats = await stat(path).catch(() => null)
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (stats === null || !stats.isDirectory()) throw mistake(flag, 'a folder', JSON.stringify(given))
  return path
}
