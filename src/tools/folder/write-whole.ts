import { randomBytes } from 'node:crypto'
import { lstat, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { codeOf } from '../process/error-code.js'
import { isLeftBehind, ownerMark } from './owner-mark.js'
import { placeInside } from './place-inside.js'

/**
 * Writes one file of a user's folder whole or not at all: readers see the old content or the new, and a failure leaves
 * neither a half-written file nor a new folder. A file that holds `content` already is left alone.
 * @param relativePath forward slashes; folders on the way are made
 *
 * Throws `Failure('Contract.Violated')` when the path leaves the folder, by its words or through a link, and
 * `Failure('Tool.Failed')` when the disk is full or the folder cannot be written.
 */
export async function writeWhole(
  folder: string,
  relativePath: string,
  content: string | Uint8Array,
): Promise<'written' | 'unchanged'> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  const place = await placeInside(folder, relativePath)
  try {
    if (await holds(place.path, bytes)) return 'unchanged'
    await sweepParts(dirname(place.path))
    await replace(place.path, bytes)
    return 'written'
  } catch (error) {
    await place.undo()
    throw plainFailure(error, relativePath)
  }
}

async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  const stats = await lstat(path).catch(nullWhenGone)
  if (stats === null || !stats.isFile() || stats.size !== bytes.length) return false
  return (await readFile(path)).equals(bytes)
}

const partPrefix = '.gauntlet-'

async function replace(path: string, bytes: Uint8Array): Promise<void> {
  // In the same folder, because a rename is atomic within one file system only.
  const part = join(dirname(path), `${partPrefix}${ownerMark()}-${randomBytes(6).toString('hex')}`)
  try {
    await writeFile(part, bytes, { flag: 'wx' })
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Removes what a killed process was writing here. */
async function sweepParts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(partPrefix)) continue
    const stats = await lstat(join(folder, name)).catch(nullWhenGone)
    const isLeft = stats !== null && stats.isFile() && isLeftBehind(name.slice(partPrefix.length), stats.mtime)
    if (isLeft) await rm(join(folder, name), { force: true })
  }
}

const plainWords: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'there is a folder of that name',
  ENAMETOOLONG: 'the name is too long',
}

function plainFailure(error: unknown, relativePath: string): unknown {
  const words = plainWords[codeOf(error) ?? '']
  if (words === undefined) return error
  return new Failure('Tool.Failed', `cannot write ${basename(relativePath)}: ${words}`, { cause: error })
}

function nullWhenGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
