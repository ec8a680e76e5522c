import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { Failure } from '../contracts/failures.js'
import type { ReviewTask } from '../contracts/review-task.js'
import { RunKey } from '../contracts/run.js'
import { snippetName } from '../rules/review/snippet-name.js'
import { collectChange, type Collected } from '../tools/review/collect-change.js'
import { collectFiles, collectSnippet } from '../tools/review/collect-files.js'
import { collectPatch } from '../tools/review/collect-patch.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, manyOption, textOption } from './command.js'
import { readInput } from './read-input.js'
import { readTask, type TaskAsked, taskOf } from './review-task.js'
import { openCliGit } from './run-repository.js'

/** What a review is asked for, read and checked. */
export interface ReviewRequest {
  key: string
  task: ReviewTask
  collected: Collected
  /** Absolute. */
  contentDir: string
  partTokens: number | null
}

const MOST_TEXT_BYTES = 256 * 1024 ** 2

/** Throws a mistake of the person, or `Failure('Case.Incomplete')` when there is nothing to review. */
export async function readReviewRequest(context: Context, input: CommandInput): Promise<ReviewRequest> {
  const asked = await readTask(context, input)
  const collected = await collect(context, input, asked.folder)
  if (collected.sources.files.length === 0) throw new Failure('Case.Incomplete', emptyWords(collected))
  const digest = digestOf({ asked, collected }, input)
  const task = taskOf(input, asked, { review_type: collected.sources.review_type, digest })
  return {
    key: keyOf(input, task.task_id, digest),
    task,
    collected,
    contentDir: contentDirOf(context, input),
    partTokens: partTokensOf(input),
  }
}

/** Whatever makes it another review: without a name of their own, two of one change by two agents are two runs. */
function digestOf(about: { asked: TaskAsked; collected: Collected }, { options }: CommandInput): string {
  const { agent, focus, require, partTokens } = options
  const whole = JSON.stringify([about, agent, focus, require, partTokens])
  return createHash('sha256').update(whole).digest('hex').slice(0, 12)
}

const SOURCES = ['diff', 'files', 'snippet', 'patch'] as const

async function collect(context: Context, input: CommandInput, folder: string): Promise<Collected> {
  const given = SOURCES.filter((name) => textOption(input, name) !== undefined || manyOption(input, name).length > 0)
  const [source = 'diff', other] = given
  if (other !== undefined)
    throw mistake(
      `--${other}`,
      `only one of ${SOURCES.map((name) => `--${name}`).join(', ')}`,
      given.map((name) => `--${name}`).join(' and '),
    )
  if (source === 'files') return await collectFiles(manyOption(input, 'files'), folder)
  if (source === 'diff') {
    return await collectChange({ git: await openCliGit(context), folder, range: textOption(input, 'diff') ?? null })
  }
  const what = source === 'patch' ? 'a patch' : 'code'
  const order = { given: textOption(input, source), what, maxBytes: MOST_TEXT_BYTES, option: `--${source}` }
  const { name, text } = await readInput(context, order)
  if (source === 'patch') return await collectPatch(text, folder)
  if (text.trim() === '') throw mistake('--snippet', 'some code', 'an empty text')
  return collectSnippet(name === 'stdin' ? snippetName(text) : basename(name), text)
}

function emptyWords({ sources }: Collected): string {
  const [first] = sources.left_out
  if (first === undefined) return 'nothing to review: the change is empty'
  const more = sources.left_out.length > 1 ? ` and ${sources.left_out.length - 1} more` : ''
  return `nothing to review: ${first.path} (${first.reason})${more}`
}

function keyOf(input: CommandInput, taskId: string, digest: string): string {
  const given = textOption(input, 'key')
  if (given === undefined) return RunKey.safeParse(taskId).success ? taskId : `task_review:${digest}`
  if (RunKey.safeParse(given).success) return given
  throw mistake('--key', '1 to 120 letters, digits, dots, dashes, underscores or colons', JSON.stringify(given))
}

/** Seed 004, 4.1. */
function contentDirOf({ cwd, env }: Context, input: CommandInput): string {
  const given = textOption(input, 'contentDir')
  if (given !== undefined) return resolve(cwd, given)
  const home = env['HOME'] ?? homedir()
  if (!isAbsolute(home)) throw mistake('HOME', 'an absolute path, or --content-dir', JSON.stringify(home))
  return join(home, '.cache', 'codeDoggy', 'review_content')
}

function partTokensOf(input: CommandInput): number | null {
  const given = textOption(input, 'partTokens')
  if (given === undefined) return null
  if (/^\d{3,7}$/.test(given) && Number(given) >= 500 && Number(given) <= 2_000_000) return Number(given)
  throw mistake('--part-tokens', 'a whole number from 500 to 2000000', JSON.stringify(given))
}
