import { isAbsolute, resolve } from 'node:path'
import type { CommitId, RepositoryRef } from '../contracts/git.js'
import { repositoryUrlProblem, transportOf } from '../rules/git/repository-url.js'
import type { Git } from '../tools/git/git.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type CommandOption, type Context, textOption } from './command.js'

/** What every pipeline that works on a repository takes. */
export const REPOSITORY_OPTIONS: readonly CommandOption[] = [
  { flags: '--repo <PATH_OR_URL>', summary: 'the repository; only read', default: '.', takesFile: true },
  { flags: '--base <REF>', summary: 'branch, tag or commit to begin with', default: 'HEAD' },
  {
    flags: '--run-repository <PATH_OR_URL>',
    summary: 'bare repository that all workers reach (default: one of its own in the state home)',
    takesFile: true,
  },
]

/** A run's own repository, with the history up to its base. */
export interface UploadedRepository {
  repository: RepositoryRef
  base: CommitId
  /** Of the person's checkout, absolute; null for a URL. */
  folder: string | null
}

/** git for this command, in the sandbox where there is one. */
export async function openCliGit({ home, env, signal }: Context): Promise<Git> {
  const { detectSandbox } = await import('../tools/process/sandbox.js')
  const { createRunner } = await import('../tools/process/runner.js')
  const { openGit } = await import('../tools/git/git.js')
  const sandbox = await detectSandbox()
  const run = createRunner(
    sandbox.kind === 'none' ? { sandbox: 'none' } : { sandbox: sandbox.kind, bwrapPath: sandbox.path },
  )
  return await openGit({ home, env, run, signal })
}

/**
 * Copies the history up to `--base` into the run's own repository: the person's checkout is only read, and nothing that is not
 * committed goes along, which is said. Throws a mistake of the person, `Failure('Contract.Violated')` for no repository or no
 * such commit, and `Failure('Tool.Missing')` without git.
 */
export async function uploadRepository(
  context: Context,
  input: CommandInput,
  name: string,
): Promise<UploadedRepository> {
  const { createRunRepository, runRepositoryFolder } = await import('../tools/git/run-repository.js')
  const { baseOf } = await import('../tools/git/base-commit.js')
  const source = repositoryOption(context, input, { name: 'repo', flag: '--repo' }) ?? { url: context.cwd }
  const git = await openCliGit(context)
  const base = textOption(input, 'base') ?? 'HEAD'
  const { commit } = await baseOf(git, source, base)
  const run = `${name}-${commit.slice(0, 12)}`
  const into = repositoryOption(context, input, { name: 'runRepository', flag: '--run-repository' }) ?? {
    url: runRepositoryFolder(git, run),
  }
  await sayUncommitted(context, git, source)
  const uploaded = await createRunRepository({ git, source, base: commit, run, into })
  const place = transportOf(source.url)
  return { ...uploaded, folder: place.kind === 'local' ? place.path : null }
}

/** A folder of this machine, absolute, or a URL; undefined when the option was not given. */
function repositoryOption(
  { cwd }: Context,
  input: CommandInput,
  option: { name: string; flag: string },
): RepositoryRef | undefined {
  const given = textOption(input, option.name)
  if (given === undefined) return undefined
  const isUrl = /^[A-Za-z][\w+.-]*:\/\/|^[\w.-]+@[\w.-]+:/.test(given)
  const url = isUrl || isAbsolute(given) ? given : resolve(cwd, given)
  const problem = repositoryUrlProblem(url)
  if (problem === null) return { url }
  // What came is not repeated: it may hold a password.
  throw mistake(option.flag, `a repository (${problem})`, 'something else')
}

async function sayUncommitted({ terminal }: Context, git: Git, source: RepositoryRef): Promise<void> {
  const { uncommittedChanges } = await import('../tools/git/uncommitted-changes.js')
  const changes = await uncommittedChanges(git, source)
  if (changes === null || changes.count === 0) return
  const files = changes.count === 1 ? '1 file is' : `${changes.count} files are`
  terminal.note(`${files} not committed, and no part of the run`)
}
