import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { isLeftBehind, ownerMark } from '../folder/owner-mark.js'
import { codeOf } from '../process/error-code.js'

/** Puts a file where it belongs in one step; what stood there is replaced. */
export async function placeFile(path: string, temporary: string, content: Buffer): Promise<void> {
  await withTemporary(temporary, content, async (written) => {
    await mkdir(dirname(path), { recursive: true })
    await rename(written, path)
  })
}

/** Creates a file unless there is one, and returns what it holds in the end: of any number of callers one wins. */
export async function createOnce(path: string, temporary: string, content: string): Promise<Buffer> {
  await withTemporary(temporary, Buffer.from(content, 'utf8'), async (written) => {
    await mkdir(dirname(path), { recursive: true })
    // Unlike a rename, a hard link fails when the name is taken, and unlike `wx` it never shows a half-written file.
    await link(written, path).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  })
  return readFile(path)
}

/** Removes what killed processes left in the folder for temporary files. */
export async function sweepTemporary(temporary: string): Promise<void> {
  for (const name of await readdir(temporary)) {
    const path = join(temporary, name)
    const stats = await stat(path).catch(() => null)
    if (stats !== null && isLeftBehind(name, stats.mtime)) await rm(path, { force: true })
  }
}

async function withTemporary(folder: string, content: Buffer, use: (path: string) => Promise<void>): Promise<void> {
  const path = join(folder, `${ownerMark()}-${randomBytes(8).toString('hex')}`)
  try {
    await writeFile(path, content, { flag: 'wx' })
    await use(path)
  } catch (error) {
    throw isFull(error) ? new Failure('Tool.Failed', fullMessage(content.length), { cause: error }) : error
  } finally {
    await rm(path, { force: true })
  }
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
}

function fullMessage(bytes: number): string {
  return `artifact store: the disk is full, ${bytes} bytes could not be written`
}
