import { constants } from 'node:fs'
import { mkdir, open, readlink, realpath, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { codeOf } from '../process/error-code.js'

/**
 * Opens a regular file of a worktree for whoever named it with `path`: relative, or absolute within `root`. 'write' makes the file
 * and the folders on its way. A program of the same worktree may swap folders for links while we look: what is opened is
 * walked to from folder to folder, no link followed, so it is inside whatever happens (Linux; elsewhere as good as a look can be).
 *
 * Throws `Failure('Contract.Violated')`, one line for the agent, when it leads outside, into git's own files, or is no file;
 * `details.code` is the system's word for it ('ENOENT'), or null.
 */
export function openInside(root: string, path: string, mode: 'read' | 'write'): Promise<FileHandle> {
  return reach({ root, path, isMade: mode === 'write' }, (name) => openFile(name, path, mode))
}

/** Removes a file of the worktree. Throws as `openInside` does. */
export function removeInside(root: string, path: string): Promise<void> {
  return reach({ root, path, isMade: false }, unlink)
}

/** The path relative to the worktree with all links followed, '' for the worktree itself. Throws as `openInside` does. */
export function pathInside(root: string, path: string): Promise<string> {
  return plainly(path, async () => (await placeOf(root, path)).parts.join('/'))
}

interface Reach {
  root: string
  path: string
  /** Whether folders on the way are made. */
  isMade: boolean
}

function reach<T>({ root, path, isMade }: Reach, use: (name: string) => Promise<T>): Promise<T> {
  return plainly(path, async () => {
    const place = await placeOf(root, path)
    if (place.parts.length === 0) throw refusal(path, 'is a folder')
    const folder = await openFolder(place, isMade)
    try {
      return await use(stepInto(folder, place.parts.at(-1) ?? ''))
    } finally {
      await folder.handle.close()
    }
  })
}

async function plainly<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const words = plainWords[codeOf(error) ?? '']
    throw words === undefined ? error : refusal(path, words, codeOf(error))
  }
}

interface Place {
  root: string
  /** Below the root, no links among them when they were looked at. */
  parts: string[]
}

async function placeOf(folder: string, path: string): Promise<Place> {
  const isPlain = !path.includes('\0') && path.length <= 4096
  if (!isPlain) throw refusal(path, 'is no path')
  const root = await realpath(folder)
  const asked = isAbsolute(path) && isWithin(folder, resolve(path)) ? join(root, relative(folder, path)) : path
  const parts = partsWithin(root, resolve(root, asked), path)
  return { root, parts: partsWithin(root, await followed(join(root, ...parts), path), path) }
}

/** All links followed, also of a path whose end is not there yet. */
async function followed(path: string, named: string, depth = 0): Promise<string> {
  if (depth > 200) throw refusal(named, 'has links that lead in a circle')
  const real = await realpath(path).catch(nullWhenGone)
  if (real !== null) return real
  const target = await readlink(path).catch(nullWhenGone)
  if (target !== null) return followed(resolve(dirname(path), target), named, depth + 1)
  return join(await followed(dirname(path), named, depth + 1), basename(path))
}

function partsWithin(root: string, path: string, named: string): string[] {
  if (!isWithin(root, path)) throw refusal(named, 'is outside the worktree')
  const parts = relative(root, path)
    .split(sep)
    .filter((part) => part !== '')
  // Some file systems take .GIT for .git.
  if (parts.some((part) => part.toLowerCase() === '.git')) throw refusal(named, "is among git's own files")
  return parts
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
}

interface OpenFolder {
  handle: FileHandle
  path: string
}

async function openFolder({ root, parts }: Place, isMade: boolean): Promise<OpenFolder> {
  let folder = { handle: await open(root, folderFlags), path: root }
  for (const part of parts.slice(0, -1)) {
    const next = stepInto(folder, part)
    try {
      if (isMade) await mkdir(next).catch(ignoreThere)
      folder = { handle: await swap(folder.handle, next), path: join(folder.path, part) }
    } catch (error) {
      await folder.handle.close()
      throw error
    }
  }
  return folder
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

async function swap(from: FileHandle, next: string): Promise<FileHandle> {
  const handle = await open(next, folderFlags)
  await from.close()
  return handle
}

/** Linux reaches a file through an open folder, whatever has become of the names on the way; Node has no other openat. */
function stepInto({ handle, path }: OpenFolder, name: string): string {
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}/${name}` : join(path, name)
}

async function openFile(path: string, named: string, mode: 'read' | 'write'): Promise<FileHandle> {
  const access = mode === 'read' ? constants.O_RDONLY : constants.O_RDWR | constants.O_CREAT
  // Without O_NONBLOCK a named pipe would make us wait for its other end.
  const file = await open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o666)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw refusal(named, 'is no regular file')
}

const plainWords: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'has a part that is no folder',
  EISDIR: 'is a folder',
  ELOOP: 'is, or has become, a link',
  ENXIO: 'is no regular file',
  EACCES: 'may not be opened (permission denied)',
  EPERM: 'may not be opened (permission denied)',
  ENAMETOOLONG: 'has a name that is too long',
}

function refusal(path: string, why: string, code: string | null = null): Failure {
  return new Failure('Contract.Violated', `${JSON.stringify(path.slice(0, 200))} ${why}`, { details: { code } })
}

function nullWhenGone(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'EINVAL', 'ELOOP'].includes(codeOf(error) ?? '')) return null
  throw error
}

function ignoreThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
