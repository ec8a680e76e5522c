import type { Dirent } from 'node:fs'
import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../process/error-code.js'

/**
 * Removes a folder that programs we do not trust wrote in: they may have taken away our right to enter its folders, or nested
 * them deeper than a path may be long. Never follows a link.
 */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'ENAMETOOLONG') throw error
    await flatten(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Longest path worked on; what lies deeper is first moved to the top. */
const maxPathLength = 2000

async function flatten(top: string): Promise<void> {
  let moved = 0
  const waiting = [top]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    // Node goes on removing in the background after it has said that it failed.
    const entries = await open(folder).catch(noneWhenGone)
    for (const entry of entries.filter((each) => each.isDirectory())) {
      const path = join(folder, entry.name)
      const short = path.length > maxPathLength ? join(top, `flat-${moved++}`) : path
      if (short !== path) await rename(path, short).catch(noneWhenGone)
      waiting.push(short)
    }
  }
}

async function open(folder: string): Promise<Dirent[]> {
  await chmod(folder, 0o700)
  return await readdir(folder, { withFileTypes: true })
}

function noneWhenGone(error: unknown): Dirent[] {
  if (codeOf(error) === 'ENOENT') return []
  throw error
}
