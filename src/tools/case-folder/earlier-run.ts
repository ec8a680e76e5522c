import { z } from 'zod'
import { Artifact } from '../../contracts/artifact.js'
import { CaseCommand } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import { type FileRule, readCaseFileIfThere } from './case-file.js'

/** What status.json remembers of the run that wrote it. */
export interface EarlierRun {
  /** Null when another program wrote the file. */
  runId: string | null
  /** Of that run's input; null when another program wrote the file. */
  digest: string | null
  command: CaseCommand | null
  /** By step: its extract as status.json has it, not yet checked against any contract. Only steps that are completed. */
  steps: ReadonlyMap<string, EarlierStep>
  /** By file name: the hash of what that run wrote. */
  hashes: ReadonlyMap<string, string>
}

export interface EarlierStep {
  extract: Record<string, unknown>
  artifacts: Artifact[]
}

/**
 * Reads status.json of the case folder, leniently: fields we do not know are ignored, fields of ours may be missing. Null when there is no such
 * file. Throws `Failure('Contract.Violated')` when it is broken: nothing is overwritten before a person has looked.
 */
export async function readEarlierRun(folder: string): Promise<EarlierRun | null> {
  const content = await readCaseFileIfThere(folder, STATUS_FILE, STATUS_RULE)
  if (content === null) return null
  const { run_id: runId, input, steps } = parse(content.toString('utf8'))
  const completed = Object.entries(steps).filter(([, step]) => step.completed === true)
  const earlier = new Map(completed.map(([name, step]) => [name, { extract: step, artifacts: step.artifacts }]))
  const files = completed.flatMap(([, step]) => step.artifacts)
  return {
    runId: runId ?? null,
    digest: input.digest ?? null,
    command: input.command ?? null,
    steps: earlier,
    hashes: new Map(files.map((file) => [file.name, file.sha256])),
  }
}

export const STATUS_FILE = 'status.json'
const STATUS_RULE: FileRule = { maxBytes: 2_000_000, mayBeEmpty: true, isText: true }

const EarlierStatus = z.looseObject({
  run_id: z.string().nullish(),
  input: z
    .looseObject({ digest: z.string().nullish(), command: CaseCommand.nullish().catch(null) })
    .nullish()
    .transform((input) => input ?? { digest: null, command: null }),
  steps: z
    .record(z.string(), z.looseObject({ completed: z.boolean().optional(), artifacts: z.array(Artifact).default([]) }))
    .nullish()
    .transform((steps) => steps ?? {}),
})

function parse(text: string): z.infer<typeof EarlierStatus> {
  try {
    return parseJson(EarlierStatus, text, STATUS_FILE)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.type, `${error.message}; the file is broken: mend or remove it, nothing was changed`, {
      cause: error,
    })
  }
}
