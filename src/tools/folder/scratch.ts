import { mkdir, mkdtemp, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { endLeftovers } from '../process/end-leftovers.js'
import { codeOf } from '../process/error-code.js'
import { isLeftBehind, isOfHere, ownerMark } from './owner-mark.js'
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

/** Ends what processes that were killed left running, and removes their scratch folders. Returns how many folders. */
export async function sweepScratch(root: string): Promise<number> {
  const names = await leftBehindIn(root)
  await endLeftovers(new Set(names.filter(isOfHere)))
  for (const name of names) await removeTree(join(root, name))
  return names.length
}

async function leftBehindIn(root: string): Promise<string[]> {
  const left: string[] = []
  for (const name of await namesIn(root)) {
    const stats = await stat(join(root, name)).catch(nullWhenGone)
    if (stats !== null && isLeftBehind(name, stats.mtime)) left.push(name)
  }
  return left
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullWhenGone)) ?? []
}

function nullWhenGone(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
