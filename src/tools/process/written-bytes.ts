import type { Dir } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from './error-code.js'

export interface WrittenBytes {
  /** Counted no further than asked. */
  bytes: number
  /** A folder was closed to us: what is in it is not counted. */
  isPart: boolean
}

/** What a file takes at least: file systems run out of files, too. */
export const leastFileBytes = 4096

/**
 * What the files below these folders that were made or changed at or after `sinceMs` (by the file system's clock) take up on the disk.
 * Links are not followed. Stops counting at `enough`.
 */
export async function writtenBytes(
  folders: readonly string[],
  { sinceMs, enough }: { sinceMs: number; enough: number },
): Promise<WrittenBytes> {
  const written = { bytes: 0, isPart: false }
  /** Of files with several names. */
  const counted = new Set<string>()
  const waiting = new Set(folders)

  async function take(path: string): Promise<void> {
    const stats = await lstat(path).catch(nullWhenHidden)
    if (stats?.isDirectory() === true) waiting.add(path)
    if (stats === null || stats.ctimeMs < sinceMs) return
    const name = `${stats.dev}:${stats.ino}`
    if (!counted.has(name)) written.bytes += Math.max(stats.blocks * 512, leastFileBytes)
    if (stats.nlink > 1) counted.add(name)
  }

  // A set may grow while it is walked: what is added comes last.
  for (const folder of waiting) {
    const opened = await opendir(folder, { bufferSize: 1024 }).catch((error: unknown) => {
      written.isPart ||= codeOf(error) === 'EACCES'
      return nullWhenHidden(error)
    })
    for await (const names of opened === null ? [] : batches(opened)) {
      await Promise.all(names.map((name) => take(join(folder, name))))
      if (written.bytes >= enough) return written
    }
  }
  return written
}

/** Never a whole folder: it may hold millions. */
async function* batches(folder: Dir): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const { name } of folder) {
    if (batch.push(name) < atOnce) continue
    yield batch
    batch = []
  }
  yield batch
}

const atOnce = 32

/** Files come and go while they are counted, and a program may close its folders to us. */
function nullWhenHidden(error: unknown): null {
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')) return null
  throw error
}
