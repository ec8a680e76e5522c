import { cp, lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { CommitId, CommitStamp, FileChange } from '../../contracts/git.js'
import type { RawChanges } from '../../rules/git/diff-output.js'
import { together } from '../../rules/together.js'
import { codeOf } from '../process/error-code.js'
import type { Worktree } from './add-worktree.js'
import { readDiff } from './read-diff.js'
import { refusedChanges } from './refused-changes.js'
import { firstComplaint, type GitCall, runGit, tryGit } from './run-git.js'
import { NEVER_COMMITTED, OURS, type Scan, scanWorktree } from './scan-worktree.js'
import { writeCommit } from './write-commit.js'

export interface CommitOrder {
  worktree: Worktree
  /** Default: the commit the worktree was made from. */
  parent?: CommitId
  message: string
  stamp: CommitStamp
}

/** `refused`: what the attempt did cannot be committed; the reasons are for whoever did it. */
export type CommitResult =
  | { status: 'committed'; commit: CommitId; changes: readonly FileChange[] }
  | { status: 'unchanged'; commit: CommitId; changes: readonly [] }
  | { status: 'refused'; reasons: readonly string[] }

/**
 * Commits what an attempt changed in its worktree: all that is not ignored, and nothing of tools or of ours. The same files with
 * the same parent, message and stamp are the same commit, however often. Nobody may work in the folder meanwhile.
 */
export async function commitWorktree(order: CommitOrder): Promise<CommitResult> {
  const { worktree, parent = order.worktree.commit, message, stamp } = order
  await checkFolder(worktree)
  const scan = await scanWorktree(worktree.folder)
  const refused = await refusedFiles(worktree, scan)
  if (refused.length > 0) return { status: 'refused', reasons: refused }
  const index = join(worktree.privateFolder, 'index.next')
  // With its times: git tells by them which files it must look at again.
  await cp(worktree.index, index, { preserveTimestamps: true })
  try {
    const complaint = await stage(worktree, index)
    if (complaint !== null) return { status: 'refused', reasons: [complaint] }
    const { tree, raw } = await readIndex(worktree, { parent, index })
    const reasons = await refusedChanges(worktree, { raw, scan, index })
    if (reasons.length > 0) return { status: 'refused', reasons }
    const changes = raw.changes.map(({ change }) => change)
    if (changes.length === 0) return { status: 'unchanged', commit: parent, changes: [] }
    const commit = await writeCommit(worktree.mirror, { tree, parents: [parent], message, stamp })
    return { status: 'committed', commit, changes }
  } finally {
    await rm(index, { force: true })
    await rm(`${index}.lock`, { force: true })
  }
}

/** Without a sandbox an attempt may have put anything in the place of its folder. */
async function checkFolder({ folder }: Worktree): Promise<void> {
  const isFolder = await lstat(folder).then(
    (stats) => stats.isDirectory(),
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    },
  )
  if (!isFolder) throw new Failure('Tool.Failed', 'the folder of the attempt is gone')
}

async function refusedFiles(worktree: Worktree, { suspects, isTooLarge }: Scan): Promise<string[]> {
  if (isTooLarge) return ['there are more files than can be committed']
  if (suspects.length === 0) return []
  const { git, folder } = worktree.mirror
  const outcome = await tryGit(git, {
    args: ['check-ignore', '-z', '--stdin'],
    ...placesOf(worktree, worktree.index),
    repository: folder,
    readable: [worktree.privateFolder],
    stdin: suspects.map(({ path }) => `${path}\0`).join(''),
  })
  // 1 says that none of them is ignored.
  if (outcome.exitCode !== 0 && outcome.exitCode !== 1) return [firstComplaint(outcome.stderr)]
  const ignored = new Set(outcome.stdout.split('\0'))
  return suspects.filter(({ path }) => !ignored.has(path)).map(({ path, why }) => `${JSON.stringify(path)} ${why}`)
}

/** Null when everything is staged, else what git says is wrong with it. */
async function stage(worktree: Worktree, index: string): Promise<string | null> {
  const { git, folder } = worktree.mirror
  const call: GitCall = {
    args: ['add', '--all', '--', '.', ...LEFT_OUT],
    ...placesOf(worktree, index),
    repository: folder,
    writable: [folder, worktree.privateFolder],
  }
  const { exitCode, stderr } = await tryGit(git, call)
  return exitCode === 0 ? null : `git cannot take the files: ${firstComplaint(stderr)}`
}

const LEFT_OUT = [...NEVER_COMMITTED, `${OURS}*`].flatMap((name) => [
  `:(top,exclude,glob)**/${name}`,
  `:(top,exclude,glob)**/${name}/**`,
])

function placesOf({ folder }: Worktree, index: string): Pick<GitCall, 'workTree' | 'index' | 'cwd'> {
  return { workTree: folder, index, cwd: folder }
}

/** What was staged, as a tree and as changes. Both at once: each mostly waits for a program to start. */
async function readIndex(
  { mirror, privateFolder }: Worktree,
  { parent, index }: { parent: CommitId; index: string },
): Promise<{ tree: string; raw: RawChanges }> {
  const writable = [mirror.folder, privateFolder]
  const [tree, raw] = await together(
    runGit(mirror.git, { args: ['write-tree'], repository: mirror.folder, index, writable }),
    readDiff(mirror, { from: parent, index, scratch: privateFolder }),
  )
  return { tree: tree.trim(), raw }
}
