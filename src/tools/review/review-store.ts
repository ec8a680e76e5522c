import type { z } from 'zod'
import type { Artifact } from '../../contracts/artifact.js'
import { parseJson } from '../../contracts/parse.js'
import type { ArtifactStore } from '../../contracts/store.js'

/** Reads a document of a review by its content. */
export async function readDocument<T extends z.ZodType>(
  store: ArtifactStore,
  contract: T,
  { sha256, name }: Pick<Artifact, 'sha256' | 'name'>,
): Promise<z.infer<T>> {
  return parseJson(contract, (await store.get({ sha256, name })).toString('utf8'), name)
}

export async function writeDocument(store: ArtifactStore, name: string, value: unknown): Promise<Artifact> {
  return await store.put(name, `${JSON.stringify(value, null, 1)}\n`, 'application/json')
}
