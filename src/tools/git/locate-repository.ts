import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { Failure } from '../../contracts/failures.js'

/** A repository that is somebody else's: looked at, never written. */
export interface LocatedRepository {
  /** Of this checkout: HEAD and index lie here. Absolute, links followed. */
  gitDir: string
  /** Of all its checkouts: objects, refs and configuration. */
  commonDir: string
  /** Null for a bare one. */
  workTree: string | null
  /** Everything git reads of it; objects may be borrowed from elsewhere. */
  readable: readonly string[]
}

/**
 * Finds the repository at or above a folder by its files alone, since asking git would read the configuration of a stranger.
 * Throws `Failure('Contract.Violated')` when there is none.
 */
export function locateRepository(from: string): LocatedRepository {
  if (!existsSync(from))
    throw new Failure('Contract.Violated', 'expected a git repository, got a path that is not there')
  const start = realpathSync(from)
  for (let folder = start; ; folder = dirname(folder)) {
    if (isGitDir(folder)) return located(folder, null)
    const mark = join(folder, '.git')
    if (existsSync(mark)) return located(lstatSync(mark).isFile() ? linked(mark) : realpathSync(mark), folder)
    if (folder === dirname(folder))
      throw new Failure('Contract.Violated', 'expected a folder in a git repository, got one in none')
  }
}

function located(gitDir: string, workTree: string | null): LocatedRepository {
  const common = join(gitDir, 'commondir')
  const commonDir = existsSync(common) ? realpathSync(resolve(gitDir, firstLine(common))) : gitDir
  if (!isGitDir(commonDir)) throw new Failure('Contract.Violated', 'expected a git repository, got a broken one')
  const readable = [...new Set([gitDir, commonDir, ...borrowed(join(commonDir, 'objects'), 5)])]
  return { gitDir, commonDir, workTree, readable }
}

/** As git itself tells a repository. */
function isGitDir(folder: string): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)))
}

/** Linked worktrees and submodules have a file in the place of the folder. */
function linked(mark: string): string {
  const [, target] = /^gitdir: (.+)$/.exec(firstLine(mark)) ?? []
  const path = target === undefined ? null : resolve(dirname(mark), target)
  if (path === null || !existsSync(path))
    throw new Failure('Contract.Violated', 'expected a git repository, got a .git file that leads nowhere')
  return realpathSync(path)
}

/** Folders of objects that this one borrows from, and those that they do. */
function borrowed(objects: string, depth: number): string[] {
  const list = join(objects, 'info', 'alternates')
  if (depth === 0 || !existsSync(list)) return []
  const lines = readFileSync(list, 'utf8').slice(0, 100_000).split('\n')
  const folders = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => (isAbsolute(line) ? line : resolve(objects, line)))
    .filter((folder) => existsSync(folder) && dirname(folder) !== folder)
  return folders.flatMap((folder) => [realpathSync(folder), ...borrowed(folder, depth - 1)])
}

function firstLine(path: string): string {
  return readFileSync(path, 'utf8').slice(0, 4096).split('\n', 1)[0] ?? ''
}
