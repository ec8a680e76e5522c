import type { Artifact } from '../../contracts/artifact.js'
import { CirctOutcomes } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { CIRCT_STEPS, type CirctStep } from '../../rules/circt/schedule.js'
import { recoverableSteps } from '../../rules/cli-recovery.js'
import { readCaseFile } from './case-file.js'
import type { EarlierRun } from './earlier-run.js'
import { sha256 } from './read-case-folder.js'

/**
 * What an interrupted run left in the folder, complete and valid: its extract fits the contract, and every file it names is there with the hash it
 * had. The files are put into the store again. Whatever does not fit is left out and is done anew.
 */
export async function recoverSteps(folder: string, earlier: EarlierRun, store: ArtifactStore): Promise<CirctOutcomes> {
  const files = new Map<string, Buffer>()
  const valid: CirctOutcomes = {}
  for (const step of CIRCT_STEPS) {
    const outcome = await validOutcome(folder, earlier, { step, files })
    if (outcome !== null) Object.assign(valid, { [step]: outcome })
  }
  const recovered = recoverableSteps(valid)
  for (const step of CIRCT_STEPS) {
    for (const artifact of recovered[step]?.artifacts ?? []) await restore(store, artifact, files)
  }
  return recovered
}

interface Found {
  step: CirctStep
  files: Map<string, Buffer>
}

async function validOutcome(folder: string, earlier: EarlierRun, { step, files }: Found): Promise<unknown> {
  const entry = earlier.steps.get(step)
  if (entry === undefined) return null
  const parsed = CirctOutcomes.shape[step].safeParse({ ...entry.extract, artifacts: entry.artifacts })
  if (!parsed.success || parsed.data === undefined) return null
  for (const artifact of entry.artifacts) {
    const content = await contentIfWhole(folder, artifact)
    if (content === null) return null
    files.set(artifact.sha256, content)
  }
  return parsed.data
}

async function contentIfWhole(folder: string, { name, size, sha256: hash }: Artifact): Promise<Buffer | null> {
  try {
    const content = await readCaseFile(folder, name, { maxBytes: size, mayBeEmpty: true, isText: false })
    return sha256(content) === hash ? content : null
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

async function restore(store: ArtifactStore, artifact: Artifact, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const content = files.get(artifact.sha256)
  if (content !== undefined) await store.put(artifact.name, content, artifact.media_type)
}
