import { mkdir, realpath, rmdir, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { codeOf } from '../process/error-code.js'

export interface Place {
  /** Absolute, its folder with all links followed. The last part is not followed: it may be a link, or not be there. */
  path: string
  /** Removes the folders that were made for it, as far as they are empty. */
  undo(): Promise<void>
}

/** Finds (and makes) the folder for a file inside `folder`. Throws `Failure('Contract.Violated')` when it would be outside. */
export async function placeInside(folder: string, relativePath: string): Promise<Place> {
  const parsed = RelativePath.safeParse(relativePath)
  const parts = relativePath.split('/')
  const name = parts.pop() ?? ''
  if (!parsed.success || [...parts, name].some((part) => part === '' || part === '.'))
    throw refusal(relativePath, 'expected a plain relative path')
  const made: string[] = []
  const undo = async () => {
    for (const path of made.reverse()) await rmdir(path).catch(ignoreInUse)
  }
  try {
    const root = await rootOf(folder)
    let parent = root
    for (const part of parts) parent = await stepInto(root, join(parent, part), made)
    return { path: join(parent, name), undo }
  } catch (error) {
    await undo()
    throw ['OUTSIDE', 'ENOTDIR', 'ELOOP', 'EEXIST'].includes(codeOf(error) ?? '')
      ? refusal(relativePath, 'a part of it is no folder inside that folder')
      : error
  }
}

async function rootOf(folder: string): Promise<string> {
  const root = await realpath(folder).catch(nullWhenGone)
  if (root !== null && (await stat(root)).isDirectory()) return root
  throw new Failure('Contract.Violated', 'the folder to write in does not exist')
}

/** The real path of the next folder on the way, made when it is not there. */
async function stepInto(root: string, path: string, made: string[]): Promise<string> {
  const real = await realpath(path).catch(nullWhenGone)
  if (real === null) {
    // Fails on a link that leads nowhere, which would otherwise be made there.
    await mkdir(path)
    made.push(path)
    return path
  }
  const isInside = real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)
  if (isInside && (await stat(real)).isDirectory()) return real
  throw Object.assign(new Error('not a folder inside'), { code: 'OUTSIDE' })
}

function refusal(relativePath: string, why: string): Failure {
  return new Failure('Contract.Violated', `cannot write ${JSON.stringify(relativePath.slice(0, 120))}: ${why}`)
}

function nullWhenGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}

function ignoreInUse(error: unknown): void {
  const isInUse = ['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error) ?? '')
  if (!isInUse) throw error
}
