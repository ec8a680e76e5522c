import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import type { Judge } from '../contracts/eval.js'
import { Failure } from '../contracts/failures.js'
import type { ArtifactStore } from '../contracts/store.js'
import { type JudgeFlag, readJudgeFlag } from '../rules/eval/judge-flag.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { uploadFolder } from '../tools/judges/upload-folder.js'
import { readAgentOptions } from './agent-option.js'
import { mistake } from './cli-error.js'
import type { CommandInput, Context } from './command.js'
import { onOwnDisk } from './open-store.js'

export interface JudgeOrder {
  input: CommandInput
  /** '--judge' or '--spare'. */
  flag: string
  /** NAME=BACKEND, as typed. */
  texts: readonly string[]
  store: ArtifactStore
}

/** Makes judges of what was typed: agents by name, programs with their files in the store. Throws a mistake of the person. */
export async function readJudges(context: Context, order: JudgeOrder): Promise<Judge[]> {
  const judges: Judge[] = []
  for (const text of order.texts) {
    const flag = readJudgeFlag(text)
    if ('expected' in flag) throw mistake(order.flag, flag.expected, flag.came)
    judges.push(
      flag.kind === 'agent' ? await agentJudge(context, order, flag) : await programJudge(context, order, flag),
    )
  }
  return judges
}

/** A judge is named like the agents of other pipelines; a complaint names the judge. */
async function agentJudge(
  context: Context,
  { input, flag }: JudgeOrder,
  { name, backend }: Extract<JudgeFlag, { kind: 'agent' }>,
): Promise<Judge> {
  try {
    const options = { ...input.options, agent: [`*=${backend}`] }
    const { agents } = await readAgentOptions(context, { args: {}, options })
    return { kind: 'agent', name, agent: agents[0]?.agent ?? '' }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.type, error.message.replace(/^--agent(?=[: ])/, `${flag} ${name}`), { cause: error })
  }
}

async function programJudge(
  context: Context,
  { flag, store }: JudgeOrder,
  { name, measure, path }: Extract<JudgeFlag, { kind: 'measure' }>,
): Promise<Judge> {
  if (path === null) return { kind: 'measure', name, measure, files: null, script: null }
  const place = resolve(context.cwd, path)
  const stats = await stat(place).catch(() => null)
  const isScript = measure === 'score'
  const isRight = isScript ? stats?.isFile() === true : stats?.isDirectory() === true
  if (!isRight) throw mistake(`${flag} ${name}`, isScript ? 'a scoring script' : 'a folder', JSON.stringify(path))
  const label = `${flag} ${name}`
  if (!isScript) {
    const { content } = await onOwnDisk(() => uploadFolder(store, place, label))
    return { kind: 'measure', name, measure, files: content, script: null }
  }
  const script = basename(place)
  if (!/\.(?:[cm]?js|py)$/.test(script))
    throw mistake(label, 'a script that ends in .js, .mjs, .cjs or .py', JSON.stringify(path))
  const bytes = await readBounded(place, MAX_SCRIPT, `${label}: ${basename(dirname(place))}/${script}`)
  const file = await onOwnDisk(() => store.put(script, bytes, 'text/plain'))
  const files = await onOwnDisk(() => store.put('listing.json', JSON.stringify([file]), 'application/json'))
  return { kind: 'measure', name, measure, files, script }
}

const MAX_SCRIPT = 1_000_000
