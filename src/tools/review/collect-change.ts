import { existsSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { ReviewContent } from '../../contracts/review-content.js'
import type { ReviewFile, ReviewSources } from '../../contracts/review-part.js'
import type { LeftOut } from '../../contracts/review-report.js'
import { type DiffFile, parseDiff } from '../../rules/review/diff.js'
import { SUPPRESSIONS_FILE } from '../../rules/review/suppressions.js'
import { readBounded } from '../folder/read-bounded.js'
import { withScratch } from '../folder/scratch.js'
import { baseOf } from '../git/base-commit.js'
import { makeGitView } from '../git/git-view.js'
import type { Git } from '../git/git.js'
import type { LocatedRepository } from '../git/locate-repository.js'
import { runGit, tryGit } from '../git/run-git.js'
import { parseSuppressions } from './parse-suppressions.js'
import { readBlobs } from './read-blobs.js'

/** What is to be reviewed, whatever it was collected from. */
export interface Collected {
  sources: ReviewSources
  content: ReviewContent
}

export interface ChangeOrder {
  git: Git
  /** In the repository, absolute. */
  folder: string
  /** 'A..B', 'A...B', or 'A' against the working tree; null is 'HEAD'. */
  range: string | null
}

/**
 * Reads a change of a repository: the diff, and both versions of every file in it. The repository is only read, its configuration not even that;
 * new files that are not ignored count as part of the working tree. Throws `Failure('Contract.Violated')` for no repository or no such commit.
 */
export async function collectChange({ git, folder, range }: ChangeOrder): Promise<Collected> {
  const { from, to } = await endsOf(git, folder, range)
  const repository = from.from
  if (typeof repository === 'string') throw new Failure('Contract.Violated', 'expected a repository on this machine')
  return await withScratch(join(git.home, 'scratch'), async (scratch) => {
    const view = join(scratch, 'view')
    await makeGitView({
      gitDir: view,
      commit: from.commit,
      objects: join(repository.commonDir, 'objects'),
      shallow: join(repository.commonDir, 'shallow'),
    })
    const place: View = { git, view, scratch, repository }
    const base = to !== null && range?.includes('...') === true ? await mergeBase(place, from.commit, to) : from.commit
    const after = to ?? (await treeOfWorkTree(place))
    return await readChange(place, base, after)
  })
}

interface View {
  git: Git
  /** A git folder of ours that borrows the repository's objects. */
  view: string
  scratch: string
  repository: LocatedRepository
}

async function endsOf(git: Git, folder: string, range: string | null) {
  const [first = 'HEAD', second] = (range ?? 'HEAD').split(/\.{2,3}/)
  const from = await endOf(git, folder, first)
  return { from, to: second === undefined ? null : (await endOf(git, folder, second)).commit }
}

async function endOf(git: Git, folder: string, name: string) {
  try {
    return await baseOf(git, { url: folder }, name === '' ? 'HEAD' : name)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const said = error.message.startsWith('base: ')
      ? error.message.replace('base: ', '--diff: ')
      : `--repo: ${error.message}`
    throw new Failure(error.type, said, { cause: error })
  }
}

async function mergeBase(place: View, from: string, to: string): Promise<string> {
  const { exitCode, stdout } = await tryGit(place.git, callOf(place, ['merge-base', from, to]))
  if (exitCode === 0) return stdout.trim()
  throw new Failure('Contract.Violated', '--diff: expected two commits with a common ancestor, got two without')
}

function callOf({ view, scratch, repository }: View, args: readonly string[]) {
  return { args, repository: view, readable: repository.readable, writable: [scratch, view] }
}

/** The working tree as it is, as a tree of git's in our own folder. */
async function treeOfWorkTree(place: View): Promise<string> {
  const { git, view, repository } = place
  const { gitDir, commonDir, workTree } = repository
  if (workTree === null) {
    throw new Failure('Contract.Violated', '--diff: expected a range, since a bare repository has no working tree')
  }
  await mkdir(join(view, 'info'), { recursive: true })
  for (const [path, name] of [
    [join(gitDir, 'index'), 'index'],
    [join(commonDir, 'info', 'exclude'), 'info/exclude'],
  ] as const)
    if (existsSync(path)) await cp(path, join(view, name), { preserveTimestamps: true })
  const call = { ...callOf(place, []), workTree, cwd: place.scratch }
  await runGit(git, { ...call, args: ['add', '--all', '--ignore-errors', '--', workTree] })
  return (await runGit(git, { ...call, args: ['write-tree'] })).trim()
}

const DIFF_OPTIONS =
  '-p -r -M --no-ext-diff --no-textconv --no-color --ignore-submodules=none --src-prefix=a/ --dst-prefix=b/'.split(' ')

async function readChange(place: View, base: string, after: string): Promise<Collected> {
  const file = join(place.scratch, 'diff')
  await runGit(
    place.git,
    callOf(place, ['diff-tree', ...DIFF_OPTIONS, `--output=${file}`, '--end-of-options', base, after]),
  )
  const diff = (await readBounded(file, mostDiffBytes, 'the diff')).toString('utf8')
  const { files, problems } = parseDiff(diff)
  const readable = files.filter((each) => !each.isBinary && !each.isSubmodule)
  const names = readable.flatMap(({ path, oldPath, status }) => [
    ...(status === 'deleted' ? [] : [`${after}:${path}`]),
    ...(status === 'added' ? [] : [`${base}:${oldPath ?? path}`]),
  ])
  const suppressions = `${base}:${SUPPRESSIONS_FILE}`
  const blobs = await readBlobs(place.git, callOf(place, []), [...names, suppressions])
  const left = [
    ...files.flatMap(leftOut),
    ...problems.map(({ line, message }) => ({ path: `line ${line} of the diff`, reason: message })),
  ]
  return {
    sources: {
      review_type: 'diff',
      files: readable.map((each) => fileOf(each, blobs, { base, after })),
      left_out: left,
      suppressions: parseSuppressions(blobs.get(suppressions) ?? null),
    },
    content: {
      diff_content: diff,
      commit_metadata: { source_commit: after, target_commit: base },
      files_changed: files.map(({ path }) => path),
    },
  }
}

const mostDiffBytes = 256 * 1024 ** 2

/** What a diff shows no lines of. */
export function leftOut({ path, isBinary, isSubmodule }: DiffFile): LeftOut[] {
  if (isSubmodule) return [{ path, reason: 'a submodule' }]
  return isBinary ? [{ path, reason: 'binary' }] : []
}

function fileOf(
  { path, oldPath, status, hunks }: DiffFile,
  blobs: ReadonlyMap<string, string>,
  { base, after }: { base: string; after: string },
): ReviewFile {
  return {
    path,
    old_path: oldPath,
    status,
    hunks,
    text: blobs.get(`${after}:${path}`) ?? null,
    before: blobs.get(`${base}:${oldPath ?? path}`) ?? null,
  }
}
