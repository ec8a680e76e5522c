import type { Candidate } from '../../contracts/eval.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { readListing } from './open-candidate.js'

/** All text of a candidate, its files one after the other, at most 16 MB; binary files are left out. */
export async function candidateText(store: ArtifactStore, { kind, content }: Candidate): Promise<string> {
  const files = kind === 'folder' ? await readListing(store, content) : [content]
  const parts: string[] = []
  let size = 0
  for (const file of files) {
    if (size + file.size > MAX_BYTES) break
    const bytes = await store.get(file)
    size += bytes.length
    if (!bytes.includes(0)) parts.push(bytes.toString('utf8'))
  }
  return parts.join('\n')
}

const MAX_BYTES = 16 * 1024 ** 2
