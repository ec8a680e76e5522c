import { constants, type Dirent } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readdir, readlink, realpath, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { codeOf } from '../process/error-code.js'

export interface CopyOrder {
  from: string
  /** A folder that is there and empty. */
  to: string
  /** Relative to `from`; what git ignores. Installed dependencies are copied all the same. */
  ignored: ReadonlySet<string>
  /** Absolute paths that are never entered: our own state. */
  leaveOut: readonly string[]
}

export interface ProjectCopy {
  /** Relative paths of the project's own files (not of its dependencies). */
  files: readonly string[]
  /** One line for each kind of thing that was left out. */
  notes: readonly string[]
}

/**
 * Copies a project as a fresh checkout with its uncommitted work and its installed dependencies would look: no `.git` (hence no
 * hooks), nothing that git ignores, no link that leads out of it, no device. Only reads `from`.
 * Throws `Failure('Contract.Violated')` for a project too large to copy.
 */
export async function copyProject(order: CopyOrder): Promise<ProjectCopy> {
  const root = await realpath(order.from)
  const walk: Walk = { ...order, root, files: [], left: new Map(), entries: 0, bytes: 0 }
  await copyFolder(walk, '', false)
  const notes = [...walk.left].map(([why, paths]) => `${paths.length} ${why}: ${showSome(paths)}`)
  return { files: walk.files, notes }
}

interface Walk extends CopyOrder {
  root: string
  files: string[]
  left: Map<string, string[]>
  entries: number
  bytes: number
}

async function copyFolder(walk: Walk, folder: string, isDependency: boolean): Promise<void> {
  const entries = await readdir(join(walk.from, folder), { withFileTypes: true })
  walk.entries += entries.length
  if (walk.entries > maxEntries) throw tooLarge(`${maxEntries} files`)
  const files: Promise<void>[] = []
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await enter(walk, path, isDependency)
    else if (isDependency || isOwn(walk, path)) files.push(copyEntry(walk, path, { entry, isDependency }))
    if (files.length >= atOnce) await Promise.all(files.splice(0))
  }
  await Promise.all(files)
}

const maxEntries = 400_000
const maxBytes = 10 * 1024 ** 3
const atOnce = 32

async function enter(walk: Walk, path: string, isDependency: boolean): Promise<void> {
  const name = basename(path)
  const isDependencies = name === 'node_modules' || path === '.venv' || path === 'venv'
  if (walk.leaveOut.includes(join(walk.root, path)) || name === '.git') return
  if (!isDependency && !isDependencies && !isOwn(walk, path)) return
  await mkdir(join(walk.to, path))
  await copyFolder(walk, path, isDependency || isDependencies)
}

function isOwn({ ignored }: Walk, path: string): boolean {
  return basename(path) !== '.git' && !ignored.has(path)
}

async function copyEntry(
  walk: Walk,
  path: string,
  { entry, isDependency }: { entry: Dirent; isDependency: boolean },
): Promise<void> {
  if (path.includes('\ufffd')) return leave(walk, 'names that are no UTF-8 were left out', path)
  if (entry.isSymbolicLink()) return await copyLink(walk, path)
  if (!entry.isFile()) return leave(walk, 'files that are neither files nor folders were left out', path)
  const from = join(walk.from, path)
  const { size, mode } = await lstat(from)
  walk.bytes += size
  if (walk.bytes > maxBytes) throw tooLarge(`${maxBytes} bytes`)
  // A clone where the file system can; a hard link would let the copy change the original.
  await copyFile(from, join(walk.to, path), constants.COPYFILE_FICLONE)
  if ((mode & 0o200) === 0) await chmod(join(walk.to, path), mode | 0o200)
  if (!isDependency) walk.files.push(path)
}

async function copyLink(walk: Walk, path: string): Promise<void> {
  const target = await readlink(join(walk.from, path))
  // A virtual environment's interpreter lives outside of it by design.
  const isInterpreter = /^\.?venv\/bin\/python[\d.]*$/.test(path)
  if (!isInterpreter && !(await staysInside(walk, path, target)))
    return leave(walk, 'links that lead out of the project, or nowhere, were left out', path)
  await symlink(target, join(walk.to, path))
}

/** By its words, since the copy lies elsewhere, and in truth, since links on the way may turn. */
async function staysInside(walk: Walk, path: string, target: string): Promise<boolean> {
  if (target.startsWith('/')) return false
  const words = relative(walk.from, resolve(walk.from, dirname(path), target))
  if (words.startsWith('..')) return false
  const real = await realpath(join(walk.from, path)).catch(nullWhenNowhere)
  return real !== null && (real === walk.root || real.startsWith(`${walk.root}${sep}`))
}

function leave(walk: Walk, why: string, path: string): void {
  walk.left.set(why, [...(walk.left.get(why) ?? []), path])
}

/** File names are strangers' text: quoted, so that a line break in one is seen as such. */
export function showSome(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => (/^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path)))
  return `${shown.join(', ')}${paths.length > 3 ? ', …' : ''}`
}

function tooLarge(limit: string): Failure {
  return new Failure('Contract.Violated', `--repo: expected a project of at most ${limit}, got a larger one`)
}

function nullWhenNowhere(error: unknown): null {
  if (['ENOENT', 'ELOOP', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return null
  throw error
}
