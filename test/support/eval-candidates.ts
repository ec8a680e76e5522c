import type { Artifact } from '../../src/contracts/artifact.js'
import { type Candidate, EvalInput, type Judge } from '../../src/contracts/eval.js'
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

export const agentJudge = (name: string, agent = name): Judge => ({ kind: 'agent', name, agent })
export const programJudge = (name: string): Judge => ({
  kind: 'measure',
  name,
  measure: 'tests',
  files: null,
  script: null,
})

/** An evaluation of texts; `texts` by the candidates' names. */
export async function evalInput(
  store: ArtifactStore,
  texts: Readonly<Record<string, string>>,
  rest: Partial<EvalInput> & Pick<EvalInput, 'judges'>,
): Promise<EvalInput> {
  const candidates = await Promise.all(Object.entries(texts).map(([name, text]) => textCandidate(store, name, text)))
  return EvalInput.parse({
    key: 'test',
    input_digest: 'none',
    candidates,
    criteria: [{ name: 'it is good' }],
    seed: 1,
    answer_within_seconds: 0,
    allow_unsandboxed: true,
    ...rest,
  })
}
