import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../contracts/git.js'
import { readTreeOutput } from '../../rules/git/diff-output.js'
import { readBounded } from '../folder/read-bounded.js'
import { ensureCommit, type Mirror } from './mirror.js'
import { inScratch } from './read-diff.js'
import { runGit } from './run-git.js'

export type Blob =
  | { status: 'read'; bytes: Buffer }
  | { status: 'absent' }
  | { status: 'too_large'; size: number }
  /** A link, a folder or a submodule. */
  | { status: 'no_file' }

/** One file of a commit, byte for byte. */
export async function readBlob(
  mirror: Mirror,
  { commit, path, maxBytes }: { commit: CommitId; path: string; maxBytes: number },
): Promise<Blob> {
  await ensureCommit(mirror, commit)
  const { git, folder } = mirror
  const listed = await runGit(git, {
    args: ['ls-tree', '-z', '--long', '--full-tree', '--end-of-options', commit, path],
    repository: folder,
    env: { GIT_LITERAL_PATHSPECS: '1' },
  })
  const [, mode, blob = '', size, found] = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t([^\0]*)\0$/.exec(listed) ?? []
  // A path that ends in a slash lists what is in the folder.
  if (mode === undefined || found !== path) return { status: 'absent' }
  if (!mode.startsWith('100')) return { status: 'no_file' }
  if (Number(size) > maxBytes) return { status: 'too_large', size: Number(size) }
  return await inScratch(mirror, async (scratch) => {
    // Unlike what is printed, a file comes out byte for byte.
    const name = await runGit(git, { args: ['unpack-file', blob], repository: folder, cwd: scratch })
    return { status: 'read', bytes: await readFile(join(scratch, name.trim())) }
  })
}

export interface TreeEntry {
  path: string
  kind: 'file' | 'link' | 'submodule'
  isExecutable: boolean
}

export interface Tree {
  entries: readonly TreeEntry[]
  /** Files whose names cannot travel. */
  misfits: number
  /** True when there are more than were asked for. */
  isCut: boolean
}

/** What a commit holds, in git's order, at most `maxEntries`. */
export async function listTree(mirror: Mirror, commit: CommitId, maxEntries = 20_000): Promise<Tree> {
  await ensureCommit(mirror, commit)
  const found = await inScratch(mirror, async (scratch) => {
    const file = join(scratch, 'tree')
    const empty = commit.length === 64 ? EMPTY_SHA256 : EMPTY_SHA1
    const args = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--no-abbrev', `--output=${file}`, empty, commit]
    await runGit(mirror.git, { args, repository: mirror.folder, writable: [scratch] })
    return readTreeOutput(await readBounded(file, maxListBytes))
  })
  const fit = found.flatMap(({ path, mode }) => (path === null ? [] : [entryOf(path, mode)]))
  return { entries: fit.slice(0, maxEntries), misfits: found.length - fit.length, isCut: fit.length > maxEntries }
}

const maxListBytes = 64 * 1024 ** 2

/** The tree without files, which every git knows. */
const EMPTY_SHA1 = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
const EMPTY_SHA256 = '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'

function entryOf(path: string, mode: string): TreeEntry {
  const kind = mode === '120000' ? 'link' : mode === '160000' ? 'submodule' : 'file'
  return { path, kind, isExecutable: mode === '100755' }
}
