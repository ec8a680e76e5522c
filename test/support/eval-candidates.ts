import type { Artifact } from '../../src/contracts/artifact.js'
import type { Candidate } from '../../src/contracts/eval.js'
import type { ArtifactStore } from '../../src/contracts/store.js'

/** A `FolderListing` of these files. */
export async function listingOf(store: ArtifactStore, files: Readonly<Record<string, string>>): Promise<Artifact> {
  const artifacts: Artifact[] = []
  for (const [path, text] of Object.entries(files)) artifacts.push(await store.put(path, text, 'text/plain'))
  return await store.put('listing.json', JSON.stringify(artifacts), 'application/json')
}

export async function folderCandidate(
  store: ArtifactStore,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<Candidate> {
  const bytes = Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { name, kind: 'folder', content: await listingOf(store, files), bytes }
}

export async function textCandidate(store: ArtifactStore, name: string, text: string): Promise<Candidate> {
  const content = await store.put(`${name}.md`, text, 'text/markdown')
  return { name, kind: 'text', content, bytes: Buffer.byteLength(text) }
}
