import { createHash } from 'node:crypto'
import { CirctInput } from '../contracts/circt.js'
import { parseContract } from '../contracts/parse.js'
import type { ArtifactStore } from '../contracts/store.js'
import { canonicalJson } from '../rules/cli-canonical-json.js'
import { recoverSteps } from '../tools/case-folder/recover-steps.js'
import type { CaseRequest } from './case-request.js'
import { onOwnDisk } from './open-store.js'

/** Puts the person's files into the store and makes the workflow's input of them, with what an earlier run of the same input left behind. */
export async function uploadCase(
  request: CaseRequest,
  store: ArtifactStore,
  allowUnsandboxed: boolean,
): Promise<CirctInput> {
  const { folder, interesting, issues } = request
  const put = (name: string, content: Buffer, type: string) => onOwnDisk(() => store.put(name, content, type))
  const identity = {
    crash_id: request.key,
    language: folder.source.language,
    source: await put(folder.source.name, folder.source.content, 'text/plain'),
    error: await put(folder.error.name, folder.error.content, 'text/plain'),
    command: request.command,
    interesting: interesting && (await put('interesting', interesting, 'application/octet-stream')),
    issues: issues && (await put('issues.json', issues, 'application/json')),
    repo: request.repo,
    names: { source_file: folder.source.name, error_file: folder.error.name },
  }
  const digest = digestOf(identity)
  const isSame = folder.earlier !== null && folder.earlier.digest === digest
  const input = {
    ...identity,
    schedule: request.schedule,
    answer_within_seconds: request.answerWithinSeconds,
    allow_unsandboxed: allowUnsandboxed,
    recovered: isSame && folder.earlier !== null ? await recoverSteps(folder.path, folder.earlier, store) : {},
    input_digest: digest,
  }
  return parseContract(CirctInput, input, 'input')
}

/**
 * Names what a run is about: of two starts with one key, the same digest is the same run. How it is carried out (schedule, patience, sandbox, what
 * can be taken over) is no part of it.
 */
export function digestOf(identity: unknown): string {
  return createHash('sha256').update(canonicalJson(identity)).digest('hex')
}
