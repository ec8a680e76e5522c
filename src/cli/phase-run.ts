import { basename, resolve } from 'node:path'
import type { Artifact } from '../contracts/artifact.js'
import { parseContract, parseJson } from '../contracts/parse.js'
import { ApprovalPoint, PhaseInput } from '../contracts/phase-run.js'
import { Plan } from '../contracts/phase.js'
import { RunKey } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { keyFromName } from '../rules/cli-key.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { readAgentOptions } from './agent-option.js'
import { patience } from './case-request.js'
import { digestOf } from './circt-input.js'
import { mistake } from './cli-error.js'
import { argument, type CommandInput, type Context, hasOption, textOption } from './command.js'
import { onOwnDisk } from './open-store.js'
import type { RunPlan } from './run-pipeline.js'
import { uploadRepository } from './run-repository.js'

export interface PhaseWish {
  store: ArtifactStore
  allowUnsandboxed: boolean
  /** Ends with the plan. */
  planOnly: boolean
}

/** The plan of a phase run: everything is read and checked before the repository is copied. */
export async function planPhase(context: Context, input: CommandInput, wish: PhaseWish): Promise<RunPlan> {
  const instruction = await instructionOf(context, input)
  const agents = await readAgentOptions(context, input)
  const plan = await planOption(context, input, wish.store)
  if (agents.agents.length === 0) throw mistake('--agent', "an agent, such as '*=acp:claude-code-acp'", 'none')
  const answerWithinSeconds = patience(context, input)
  const { parallel, approvals } = {
    parallel: parallelOf(input),
    approvals: approvalsOf(input, answerWithinSeconds > 0),
  }
  const key = keyOf(context, input, { instruction, planOnly: wish.planOnly })
  const { repository, base, folder } = await uploadRepository(context, input, `phase-${key}`)
  const quality = textOption(input, 'quality') ?? null
  const isolation = textOption(input, 'isolation') ?? 'auto'
  const identity = { key, instruction, base, plan, quality, isolation, plan_only: wish.planOnly }
  const phaseInput = parseContract(
    PhaseInput,
    {
      ...identity,
      ...agents,
      repository,
      parallel,
      approvals,
      answer_within_seconds: answerWithinSeconds,
      allow_unsandboxed: wish.allowUnsandboxed,
      input_digest: digestOf(identity),
    },
    'phase',
  )
  const details = `From \`${base.slice(0, 12)}\`: ${instruction.slice(0, 400)}`
  return {
    start: { pipeline: 'phase', key, input: phaseInput, details, repository: repository.url },
    folder: wish.planOnly ? null : folder,
    answerWithinSeconds,
  }
}

async function instructionOf({ cwd }: Context, input: CommandInput): Promise<string> {
  const given = argument(input, 'INSTRUCTION')
  const text = given.startsWith('@')
    ? (await readBounded(resolve(cwd, given.slice(1)), 80_000, 'INSTRUCTION')).toString('utf8')
    : given
  if (text.trim() === '') throw mistake('INSTRUCTION', 'a sentence that says what you want', 'nothing')
  return parseContract(PhaseInput.shape.instruction, text.trim(), 'INSTRUCTION')
}

/** Checked here, so that a person's slip costs no run. */
async function planOption({ cwd }: Context, input: CommandInput, store: ArtifactStore): Promise<Artifact | null> {
  const given = textOption(input, 'plan')
  if (given === undefined) return null
  const bytes = await readBounded(resolve(cwd, given), 2_000_000, `--plan ${basename(given)}`)
  parseJson(Plan, bytes.toString('utf8'), '--plan')
  return await onOwnDisk(() => store.put('plan.json', bytes, 'application/json'))
}

function parallelOf(input: CommandInput): number {
  const given = textOption(input, 'parallel') ?? '3'
  const parallel = /^\d{1,2}$/.test(given) ? Number(given) : 0
  if (parallel >= 1 && parallel <= 16) return parallel
  throw mistake('--parallel', 'a whole number from 1 to 16', JSON.stringify(given))
}

/** Silence is no: where nobody can answer, nobody is asked unless that was asked for. */
function approvalsOf(input: CommandInput, canAnswer: boolean): string[] {
  const given = textOption(input, 'approve')
  if (hasOption(input, 'yes')) {
    if (given !== undefined) throw mistake('--yes', 'no --approve beside it', 'both')
    return []
  }
  if (given === undefined) return canAnswer ? [...ApprovalPoint.options] : []
  const points = [...new Set(given.split(',').map((point) => point.trim()))]
  if (points.every((point) => point === 'plan' || point === 'merge')) return points
  throw mistake('--approve', 'some of plan, merge with a comma between', JSON.stringify(given))
}

function keyOf({ cwd }: Context, input: CommandInput, of: { instruction: string; planOnly: boolean }): string {
  const given = textOption(input, 'key')
  if (given !== undefined) return parseContract(RunKey, given, '--key')
  const repo = basename(resolve(cwd, textOption(input, 'repo') ?? '.')).replace(/\.git$/, '')
  const words = of.instruction.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const parts = [repo, ...words.slice(0, 5), ...(of.planOnly ? ['plan'] : [])]
  return keyFromName(parts.join('-')).slice(0, 100)
}
