import { existsSync } from 'node:fs'
import { readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTree } from '../folder/remove-tree.js'
import { codeOf } from '../process/error-code.js'

/** Removes installed dependencies that no worktree asked for in the last 30 days. Returns how many. */
export async function sweepDependencies(home: string, nowMs: number = Date.now()): Promise<number> {
  const cache = join(home, 'deps')
  const names = existsSync(cache) ? await readdir(cache) : []
  let removed = 0
  for (const name of names.filter((each) => /^[0-9a-f]{32}$/.test(each))) {
    const stats = await stat(join(cache, name)).catch(nullWhenGone)
    if (stats === null || nowMs - stats.mtimeMs < keptMs) continue
    // By the name of an unfinished one first: half of it must never be taken as whole.
    const away = join(cache, `.draft-${name}-old`)
    await rename(join(cache, name), away)
    await removeTree(away)
    removed++
  }
  return removed
}

const keptMs = 30 * 24 * 3600 * 1000

function nullWhenGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
