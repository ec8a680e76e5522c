import { basename, resolve } from 'node:path'
import { EvalInput, type Judge } from '../contracts/eval.js'
import { parseContract } from '../contracts/parse.js'
import { RunKey } from '../contracts/run.js'
import type { ArtifactStore } from '../contracts/store.js'
import { parseDuration } from '../rules/cli-duration.js'
import { keyFromName } from '../rules/cli-key.js'
import { readCriteria } from '../rules/eval/criteria.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { readAgentOptions } from './agent-option.js'
import { patience } from './case-request.js'
import { digestOf } from './circt-input.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, manyOption, textOption } from './command.js'
import { uploadCandidates } from './eval-candidates.js'
import { readJudges } from './eval-judges.js'
import type { RunPlan } from './run-pipeline.js'

/** The plan of an evaluation: reads and uploads everything, and says how the run is found again. */
export async function planEval(
  context: Context,
  input: CommandInput,
  { store, allowUnsandboxed }: { store: ArtifactStore; allowUnsandboxed: boolean },
): Promise<RunPlan> {
  const given = textOption(input, 'candidates')
  if (given === undefined) throw mistake('--candidates', 'a folder of candidates or a JSON file', 'nothing')
  const criteria = await criteriaOf(context, input)
  const judges = await readJudges(context, { input, flag: '--judge', texts: manyOption(input, 'judge'), store })
  if (judges.length === 0) throw mistake('--judge', 'at least one NAME=BACKEND', 'nothing')
  const spares = await readJudges(context, { input, flag: '--spare', texts: manyOption(input, 'spare'), store })
  const candidates = await uploadCandidates(context, given, store)
  const answerWithinSeconds = patience(context, input)
  const identity = { candidates, criteria, judges, spares, ...settingsOf(input) }
  const digest = digestOf(identity)
  const evalInput = parseContract(
    EvalInput,
    {
      ...identity,
      key: keyOf(input, resolve(context.cwd, given)),
      input_digest: digest,
      // Of the input itself, so that the same start is the same run; recorded all the same.
      seed: seedOf(input) ?? Number.parseInt(digest.slice(0, 8), 16),
      budget: (await readAgentOptions(context, input)).budget,
      answer_within_seconds: answerWithinSeconds,
      allow_unsandboxed: allowUnsandboxed,
    },
    'eval',
  )
  const details = `${candidates.length} candidates, ${judges.length} judges (${describeJudges(judges)})`
  return {
    start: { pipeline: 'eval', key: evalInput.key, input: evalInput, details },
    folder: null,
    answerWithinSeconds,
  }
}

/** JSON (a list of names, or of {name, description}) or one per line. */
async function criteriaOf({ cwd }: Context, input: CommandInput): Promise<unknown> {
  const given = textOption(input, 'criteria')
  if (given === undefined) throw mistake('--criteria', 'a file with at least one criterion', 'nothing')
  const bytes = await readBounded(resolve(cwd, given), 1_000_000, `--criteria ${basename(given)}`)
  const text = bytes.toString('utf8')
  const criteria = /^\s*\[/.test(text) ? jsonCriteria(text, given) : readCriteria(text)
  if (Array.isArray(criteria) && criteria.length === 0)
    throw mistake('--criteria', 'at least one criterion', `none in ${JSON.stringify(basename(given))}`)
  return criteria
}

function jsonCriteria(text: string, given: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed)
      ? parsed.map((each: unknown) => (typeof each === 'string' ? { name: each } : each))
      : parsed
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw mistake('--criteria', 'a JSON list or one criterion per line', JSON.stringify(basename(given)))
  }
}

/** Contract and complaint both come from `EvalInput`: what is no number goes there as it is. */
function settingsOf(input: CommandInput) {
  const number = (name: string) => {
    const text = textOption(input, name)
    return text === undefined ? undefined : numberOr(text)
  }
  const asksTwice = input.options['askTwice']
  const limit = textOption(input, 'limit')
  const seconds = limit === undefined ? undefined : parseDuration(limit)
  if (seconds === null) throw mistake('--limit', "a time like '90s' or '10m'", JSON.stringify(limit))
  const settings = {
    mode: textOption(input, 'mode'),
    rounds: number('rounds'),
    threshold: number('threshold'),
    is_blind: input.options['blind'] !== false,
    is_shuffled: input.options['shuffle'] !== false,
    asks_twice: typeof asksTwice === 'boolean' ? asksTwice : undefined,
    limit_seconds: seconds,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function numberOr(text: string): number | string {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

function seedOf(input: CommandInput): number | null {
  const text = textOption(input, 'seed')
  if (text === undefined) return null
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0xff_ff_ff_ff) return Number(text)
  throw mistake('--seed', 'a whole number from 0 to 4294967295', JSON.stringify(text))
}

function keyOf(input: CommandInput, path: string): string {
  const given = textOption(input, 'key')
  if (given === undefined) return keyFromName(basename(path).replace(/\.json$/, ''))
  return parseContract(RunKey, given, '--key')
}

function describeJudges(judges: readonly Judge[]): string {
  return judges
    .slice(0, 10)
    .map((judge) => `${judge.name}: ${judge.kind === 'agent' ? judge.agent : judge.measure}`)
    .join(', ')
}
