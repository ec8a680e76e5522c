import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../process/error-code.js'
import { pathInside } from './open-inside.js'

export interface Found {
  /** Relative to the worktree, forward slashes. */
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
}

/**
 * Everything below a folder of the worktree, nearest first, each folder in order of names; links are named, not followed.
 * Git's own files and installed dependencies are passed over. Ends after `maxEntries`. Throws as `pathInside`.
 */
export async function* walkInside(root: string, path: string): AsyncGenerator<Found> {
  const queue = [await pathInside(root, path)]
  let entries = 0
  for (const folder of queue) {
    for (const entry of await entriesOf(join(root, folder))) {
      if (++entries > maxEntries) return
      const kind = kindOf(entry)
      const found = { path: folder === '' ? entry.name : `${folder}/${entry.name}`, kind } as const
      yield found
      if (kind === 'folder') queue.push(found.path)
    }
  }
}

const maxEntries = 50_000
const passedOver = new Set(['.git', 'node_modules', '.venv', '__pycache__'])

async function entriesOf(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneWhenGone)
  return entries.filter(({ name }) => !passedOver.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1))
}

function kindOf(entry: Dirent): Found['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

function noneWhenGone(error: unknown): [] {
  if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return []
  throw error
}
