import { mkdir } from 'node:fs/promises'
import { parseContract } from '../contracts/parse.js'
import { ReviewContentFile } from '../contracts/review-content.js'
import { ReviewInput } from '../contracts/review-run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { agentFor } from '../rules/agent-choice.js'
import { contentFileName } from '../rules/review/task-id.js'
import { RUN_MESSAGES } from '../rules/run-messages.js'
import { checkWritable } from '../tools/case-folder/project-files.js'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { readAgentOptions } from './agent-option.js'
import { patience } from './case-request.js'
import { digestOf } from './circt-input.js'
import { mistake } from './cli-error.js'
import type { CommandInput, Context } from './command.js'
import { onOwnDisk } from './open-store.js'
import type { ReviewRequest } from './review-request.js'
import type { RunPlan } from './run-pipeline.js'

export interface ReviewPlanning {
  store: ArtifactStore
  request: ReviewRequest
  allowUnsandboxed: boolean
}

/** Tokens of a part: what models read well, and what keeps analysers from starting too often. */
const MODEL_TOKENS = 24_000
const BUILTIN_TOKENS = 400_000

/** The plan of a review: uploads what is under review and the content file's first stage, and says how the run is found again. */
export async function planReview(
  context: Context,
  input: CommandInput,
  { store, request, allowUnsandboxed }: ReviewPlanning,
): Promise<RunPlan> {
  const { key, task, collected, contentDir, partTokens } = request
  await makeContentDir(contentDir)
  const { agents, budget } = await readAgentOptions(context, input)
  const isBuiltin = ['code-reviewer', 'code-verifier'].every(
    (role) => agentFor(role as 'code-reviewer' | 'code-verifier', agents) === 'builtin',
  )
  const part_tokens = partTokens ?? (isBuiltin ? BUILTIN_TOKENS : MODEL_TOKENS)
  const sources = await onOwnDisk(() =>
    store.put('sources.json', JSON.stringify(collected.sources), 'application/json'),
  )
  const identity = { key, task, sources, part_tokens, agents }
  const reviewInput = parseContract(
    ReviewInput,
    {
      ...identity,
      content: await putContent(request, store),
      budget,
      answer_within_seconds: patience(context, input),
      allow_unsandboxed: allowUnsandboxed,
      input_digest: digestOf(identity),
    },
    'review',
  )
  const details = `Review of ${collected.sources.files.length} files (${task.review_type})`
  return {
    start: { pipeline: 'review', key, input: reviewInput, details },
    folder: contentDir,
    answerWithinSeconds: reviewInput.answer_within_seconds,
    rewrittenSignal: RUN_MESSAGES.contentRebuilt,
  }
}

async function putContent({ task, collected }: ReviewRequest, store: ArtifactStore) {
  const { task_id, review_type } = task
  const file = { task_id, review_type, created_at: new Date().toISOString(), content: collected.content }
  const text = JSON.stringify(parseContract(ReviewContentFile, file, 'content file'), null, 1)
  return await onOwnDisk(() => store.put(contentFileName(task_id), `${text}\n`, 'application/json'))
}

async function makeContentDir(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw mistake('--content-dir', 'a folder that can be made and written', systemReason(error).reason)
  }
  await checkWritable(folder)
}
