import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId, FileChange } from '../../contracts/git.js'
import { type RawChanges, readDiffOutput } from '../../rules/git/diff-output.js'
import { readBounded } from '../folder/read-bounded.js'
import { withScratch } from '../folder/scratch.js'
import { ensureCommit, type Mirror } from './mirror.js'
import { type GitCall, gitFailure, runGit, tryGit } from './run-git.js'

export interface ChangedFiles {
  changes: readonly FileChange[]
  /** Names that cannot travel, as JSON strings for people. */
  misfits: readonly string[]
}

/** What differs between two commits, renames found. */
export async function changedFiles(mirror: Mirror, from: CommitId, to: CommitId): Promise<ChangedFiles> {
  await ensureCommit(mirror, from)
  await ensureCommit(mirror, to)
  const { changes, misfits } = await inScratch(mirror, (scratch) => readDiff(mirror, { from, to, scratch }))
  return { changes: changes.map(({ change }) => change), misfits }
}

export interface DiffOrder {
  from: CommitId
  /** Or an index that holds what comes after. */
  to?: CommitId
  index?: string
  /** A folder of ours, absolute. */
  scratch: string
}

/** Through a file: names are bytes, and there may be more of them than is kept of a program's output. */
export async function readDiff(mirror: Mirror, { from, to, index, scratch }: DiffOrder): Promise<RawChanges> {
  const file = join(scratch, `diff-${randomBytes(6).toString('hex')}`)
  const options = [
    '--raw',
    '--numstat',
    '-z',
    '-r',
    '-M',
    '--no-abbrev',
    ...PLAIN,
    `--output=${file}`,
    '--end-of-options',
  ]
  const args = to === undefined ? ['diff-index', '--cached', ...options, from] : ['diff-tree', ...options, from, to]
  const places = index === undefined ? {} : { index }
  await runGit(mirror.git, { args, repository: mirror.folder, writable: [scratch], ...places })
  return readDiffOutput(await readBounded(file, maxListBytes))
}

/** No program of anybody's, no colours. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=none']
const maxListBytes = 64 * 1024 ** 2

export interface DiffText {
  /** As `git diff` writes it; whole lines. */
  text: string
  /** True when there is more. */
  isCut: boolean
}

/** The differences of two commits as text of at most `maxBytes`. */
export async function diffText(
  mirror: Mirror,
  { from, to, maxBytes }: { from: CommitId; to: CommitId; maxBytes: number },
): Promise<DiffText> {
  await ensureCommit(mirror, from)
  await ensureCommit(mirror, to)
  return await inScratch(mirror, async (scratch) => {
    const file = join(scratch, 'diff')
    const args = ['diff-tree', '-p', '-r', '-M', ...PLAIN, `--output=${file}`, '--end-of-options', from, to]
    const call: GitCall = {
      args,
      repository: mirror.folder,
      writable: [scratch],
      limits: { fileBytes: Math.max(maxBytes + 1, 65_536) },
      mayReach: 'file_size',
    }
    const outcome = await tryGit(mirror.git, call)
    if (outcome.exitCode !== 0 && outcome.stopped === null) throw gitFailure(call, outcome)
    return await textUpTo(file, maxBytes)
  })
}

async function textUpTo(path: string, maxBytes: number): Promise<DiffText> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes + 1), 0, maxBytes + 1, 0)
    const isCut = bytesRead > maxBytes
    const kept = buffer.subarray(0, Math.min(bytesRead, maxBytes))
    const end = isCut ? kept.lastIndexOf(10) + 1 : kept.length
    return { text: kept.subarray(0, end).toString('utf8'), isCut }
  } finally {
    await file.close()
  }
}

/** Where it is swept when a worker is killed. */
export function inScratch<T>({ git }: Mirror, work: (folder: string) => Promise<T>): Promise<T> {
  return withScratch(join(git.home, 'scratch'), work)
}
