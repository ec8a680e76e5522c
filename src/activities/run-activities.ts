import type { z } from 'zod'
import { Artifact } from '../contracts/artifact.js'
import { CirctInput } from '../contracts/circt.js'
import { EvalInput } from '../contracts/eval.js'
import { Failure } from '../contracts/failures.js'
import { parseContract } from '../contracts/parse.js'
import { PhaseInput } from '../contracts/phase-run.js'
import { RefineInput } from '../contracts/refine.js'
import { ReviewInput } from '../contracts/review-run.js'
import type { Pipeline, ProjectedFile, ResultDocument, RunState } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { classifyFailure } from './classify-failure.js'

/** What a pipeline's input must look like. */
const INPUTS: Partial<Record<Pipeline, z.ZodType>> = {
  circt: CirctInput,
  phase: PhaseInput,
  refine: RefineInput,
  review: ReviewInput,
  eval: EvalInput,
}

/** The cheap steps every pipeline has; they run as local activities. */
export function createRunActivities(store: ArtifactStore) {
  return {
    checkInput,
    storeDocument: (order: FinishedRun) => storeDocument(store, order),
    keepCarried: (order: { text: string }) => keepCarried(store, order),
    readCarried: (order: { carried: Artifact; from: number }) => readCarried(store, order),
  }
}

export interface FinishedRun {
  document: ResultDocument
  state: RunState
  files: ProjectedFile[]
}

/** The first complaint about an input as one line, or null. A value, so that the workflow itself fails and says why. */
async function checkInput({ pipeline, input }: { pipeline: Pipeline; input: unknown }): Promise<string | null> {
  const contract = INPUTS[pipeline]
  if (contract === undefined) return `pipeline: expected one of ${Object.keys(INPUTS).join(', ')}, got ${pipeline}`
  try {
    parseContract(contract, input, 'input')
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** Writes the result document, the last state and the person's files where `result`, `status` and `pull` find them when history or a worker is gone. */
async function storeDocument(store: ArtifactStore, { document, ...rest }: FinishedRun): Promise<void> {
  try {
    const artifact = await store.put('result.json', JSON.stringify({ document, ...rest }), 'application/json')
    await store.publish(`ended/${document.workflow_id}/${document.run_id}`, artifact)
  } catch (error) {
    throw classifyFailure(error)
  }
}

/** What a run knows, on its way from one history to the next. */
async function keepCarried(store: ArtifactStore, { text }: { text: string }): Promise<Artifact> {
  try {
    return await store.put('carried.json', text, 'application/json')
  } catch (error) {
    throw classifyFailure(error)
  }
}

/** As much of it as one payload should hold, from that character on; empty behind its end. */
async function readCarried(
  store: ArtifactStore,
  { carried, from }: { carried: Artifact; from: number },
): Promise<string> {
  try {
    const bytes = await store.get(parseContract(Artifact, carried, 'carried'))
    return bytes.toString('utf8').slice(from, from + PART_CHARACTERS)
  } catch (error) {
    throw classifyFailure(error)
  }
}

/** A quote takes two bytes in a payload, a Chinese letter three: never more than 32 KB. */
const PART_CHARACTERS = 10_000
