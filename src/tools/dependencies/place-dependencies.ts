import { constants, type Dirent } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../contracts/parse.js'
import { linkStaysInside } from '../../rules/git/link-target.js'
import { placeInside } from '../folder/place-inside.js'
import { codeOf } from '../process/error-code.js'

const Made = z.object({ folders: z.array(z.string()), origin: z.string() })

/**
 * Copies what was installed into a worktree, so that nothing that is done there changes the cache. What the repository holds by
 * the same name is left alone. Returns the folders that were put there, relative.
 */
export async function placeDependencies(cached: string, worktree: string): Promise<string[]> {
  const { folders, origin } = parseJson(Made, await readFile(join(cached, 'made.json'), 'utf8'), 'made.json')
  const placed: string[] = []
  for (const folder of folders) {
    const { path } = await placeInside(worktree, folder)
    if (await isThere(path)) continue
    await copyFolder({ from: join(cached, 'tree', folder), to: path, name: folder })
    if (folder === '.venv') await rebindScripts(path, join(origin, folder))
    placed.push(folder)
  }
  return placed
}

interface Copy {
  from: string
  to: string
  /** Relative to the worktree. */
  name: string
}

async function copyFolder({ from, to, name }: Copy): Promise<void> {
  await mkdir(to)
  const entries = await readdir(from, { withFileTypes: true })
  const copyOf = (entry: Dirent) => ({
    from: join(from, entry.name),
    to: join(to, entry.name),
    name: `${name}/${entry.name}`,
  })
  for (const entry of entries.filter((each) => each.isDirectory())) await copyFolder(copyOf(entry))
  const files = entries.filter((each) => !each.isDirectory())
  for (let at = 0; at < files.length; at += atOnce)
    await Promise.all(files.slice(at, at + atOnce).map((entry) => copyEntry(copyOf(entry), entry)))
}

const atOnce = 32

async function copyEntry({ from, to, name }: Copy, entry: Dirent): Promise<void> {
  // A clone where the file system can; a hard link would let the copy change the original.
  if (entry.isFile()) return await copyFile(from, to, constants.COPYFILE_FICLONE)
  if (!entry.isSymbolicLink()) return
  const target = await readlink(from)
  // A virtual environment's interpreter lives outside of it by design.
  const isInterpreter = /^\.venv\/bin\/python[\d.]*$/.test(name)
  if (isInterpreter || linkStaysInside(name, target)) await symlink(target, to)
}

/** Scripts of a virtual environment begin with the path of its interpreter. */
async function rebindScripts(venv: string, origin: string): Promise<void> {
  const folder = join(venv, 'bin')
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(folder, entry.name)
    const text = await readFile(path, 'latin1')
    if (text.startsWith('#!') && text.includes(origin)) await writeFile(path, text.replaceAll(origin, venv), 'latin1')
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
