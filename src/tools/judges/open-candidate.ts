import { mkdir } from 'node:fs/promises'
import { basename, normalize } from 'node:path'
import type { Artifact } from '../../contracts/artifact.js'
import { type Candidate, FolderListing } from '../../contracts/eval.js'
import { parseJson } from '../../contracts/parse.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { writeWhole } from '../folder/write-whole.js'

/** Writes a candidate below `folder`, which is made: a text as one file of its name. Returns the paths of its files. */
export async function openCandidate(
  store: ArtifactStore,
  { kind, content }: Pick<Candidate, 'kind' | 'content'>,
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const files = kind === 'folder' ? await readListing(store, content) : [{ ...content, name: basename(content.name) }]
  return await writeFiles(store, files, folder)
}

/** Lays a judge's files over what is there: a file of the same path gives way. */
export async function layOver(store: ArtifactStore, listing: Artifact, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  return await writeFiles(store, await readListing(store, listing), folder)
}

/** Throws `Failure('Contract.Violated')` for what is no listing, as for a path that leads out of the folder. */
export async function readListing(store: ArtifactStore, listing: Artifact): Promise<FolderListing> {
  return parseJson(FolderListing, (await store.get(listing)).toString('utf8'), 'folder listing')
}

async function writeFiles(store: ArtifactStore, files: FolderListing, folder: string): Promise<string[]> {
  for (const file of files) await writeWhole(folder, file.name, await store.get(file))
  return files.map(({ name }) => normalize(name))
}
