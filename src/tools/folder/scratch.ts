import { mkdir, mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../process/error-code.js'
import { isLeftBehind, ownerMark } from './owner-mark.js'
import { removeTree } from './remove-tree.js'

/** Runs `work` with a fresh folder below `root` that only this user may enter; the folder is gone afterwards, also on a throw. */
export async function withScratch<T>(root: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(root, `${ownerMark()}-`))
  try {
    return await work(folder)
  } finally {
    await removeTree(folder)
  }
}

/** Removes the scratch folders of processes that were killed. Returns how many. */
export async function sweepScratch(root: string): Promise<number> {
  let removed = 0
  for (const name of await namesIn(root)) {
    const path = join(root, name)
    const stats = await stat(path).catch(nullWhenGone)
    if (stats === null || !isLeftBehind(name, stats.mtime)) continue
    await removeTree(path)
    removed++
  }
  return removed
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullWhenGone)) ?? []
}

function nullWhenGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
