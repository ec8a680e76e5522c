import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Artifact, RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import type { ArtifactStore } from '../../contracts/store.js'

export interface Uploaded {
  /** A `FolderListing`. */
  content: Artifact
  /** Of all files. */
  bytes: number
  files: number
}

/**
 * Puts the files of a folder into the store: regular files only, neither `.git` nor installed dependencies. Throws
 * `Failure('Contract.Violated')` naming `label` for an empty folder or one that is too large.
 */
export async function uploadFolder(store: ArtifactStore, folder: string, label: string): Promise<Uploaded> {
  const paths = await pathsIn(folder, label)
  if (paths.length === 0)
    throw new Failure('Contract.Violated', `${label}: expected a folder with files, got an empty one`)
  const listing: Artifact[] = []
  let bytes = 0
  for (const path of paths) {
    bytes += (await stat(join(folder, path))).size
    if (bytes > MAX_BYTES) throw tooLarge(label, `${MAX_BYTES / 1024 ** 2} MB`)
    listing.push(await store.put(path, await readFile(join(folder, path)), mediaTypeOf(path)))
  }
  const content = await store.put('listing.json', JSON.stringify(listing), 'application/json')
  return { content, bytes, files: paths.length }
}

const MAX_FILES = 2000
const MAX_BYTES = 64 * 1024 ** 2
const LEFT_OUT = ['.git', 'node_modules', '__pycache__', '.venv', 'venv']

/** Sorted, so that the same folder is the same listing. */
async function pathsIn(root: string, label: string, folder = ''): Promise<string[]> {
  const paths: string[] = []
  for (const entry of (await readdir(join(root, folder), { withFileTypes: true })).sort(byName)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory() && !LEFT_OUT.includes(entry.name)) paths.push(...(await pathsIn(root, label, path)))
    else if (entry.isFile() && RelativePath.safeParse(path).success) paths.push(path)
    if (paths.length > MAX_FILES) throw tooLarge(label, `${MAX_FILES} files`)
  }
  return paths
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1
}

function tooLarge(label: string, limit: string): Failure {
  return new Failure('Contract.Violated', `${label}: expected a folder of at most ${limit}, got a larger one`)
}

function mediaTypeOf(path: string): string {
  return extname(path) === '.json' ? 'application/json' : 'text/plain'
}
