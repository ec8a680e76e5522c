import { Failure } from '../contracts/failures.js'
import type { CommitId } from '../contracts/git.js'
import { parseContract } from '../contracts/parse.js'
import { RefineInput } from '../contracts/refine.js'
import type { ArtifactStore } from '../contracts/store.js'
import { patience } from './case-request.js'
import { digestOf } from './circt-input.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, textOption } from './command.js'
import { onOwnDisk } from './open-store.js'
import { readRefineRequest, type RefineRequest } from './refine-request.js'
import type { RunPlan } from './run-pipeline.js'
import { openCliGit, type UploadedRepository, uploadRepository } from './run-repository.js'

export interface RefinePlanning {
  store: ArtifactStore
  allowUnsandboxed: boolean
}

/** The plan of a refine loop: reads what was asked for, uploads the history up to the base, and says how the run is found again. */
export async function planRefine(context: Context, input: CommandInput, planning: RefinePlanning): Promise<RunPlan> {
  const request = await readRefineRequest(context, input)
  const { key, title, settings } = request
  const refineInput = await uploadInput(context, input, { ...planning, request })
  const details = `${title} (at most ${settings.thresholds.max_iterations} rounds)`
  return {
    start: { pipeline: 'refine', key, input: refineInput, details, repository: refineInput.repository.url },
    folder: request.root,
    answerWithinSeconds: refineInput.answer_within_seconds,
  }
}

async function uploadInput(
  context: Context,
  input: CommandInput,
  { store, allowUnsandboxed, request }: RefinePlanning & { request: RefineRequest },
): Promise<RefineInput> {
  const { key, title, settings, preset, lang, techStack, openspec, agents, budget } = request
  const uploaded = await uploadRepository(context, input, `refine-${key}`)
  const documents = await uploadDocuments(request, store)
  const identity = {
    key,
    requirement: await onOwnDisk(() => store.put('requirement.md', request.requirement, 'text/markdown')),
    base: uploaded.base,
    against: await againstOf(context, input, uploaded),
    tech_stack: techStack,
    openspec: openspec && { change: openspec.change, folder: openspec.folder, task: openspec.task },
    ...settings,
    lang,
    agents,
  }
  const rest = {
    title,
    repository: uploaded.repository,
    preset,
    // No part of the identity: this very run writes context.md.
    openspec: identity.openspec && { ...identity.openspec, documents },
    budget,
    answer_within_seconds: patience(context, input),
    allow_unsandboxed: allowUnsandboxed,
    input_digest: digestOf(identity),
  }
  return parseContract(RefineInput, { ...identity, ...rest }, 'refine')
}

async function uploadDocuments({ openspec }: RefineRequest, store: ArtifactStore) {
  const documents = openspec?.documents ?? []
  return await Promise.all(
    documents.map(async ({ path, text }) => ({
      path,
      artifact: await onOwnDisk(() => store.put(path, text, 'text/markdown')),
    })),
  )
}

/** What the rounds are measured against: in the history of the base, since nothing else is uploaded. */
async function againstOf(context: Context, input: CommandInput, uploaded: UploadedRepository): Promise<CommitId> {
  const given = textOption(input, 'against')
  if (given === undefined) return uploaded.base
  const { baseOf } = await import('../tools/git/base-commit.js')
  const { ensureCommit, openMirror } = await import('../tools/git/mirror.js')
  const git = await openCliGit(context)
  const source = { url: uploaded.folder ?? textOption(input, 'repo') ?? context.cwd }
  try {
    const { commit } = await baseOf(git, source, given)
    await ensureCommit(await openMirror(git, uploaded.repository), commit)
    return commit
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw mistake('--against', 'a commit in the history of --base', JSON.stringify(given))
  }
}
