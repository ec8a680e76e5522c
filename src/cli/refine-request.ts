import { basename, resolve } from 'node:path'
import type { AgentOptions } from '../contracts/agent.js'
import { Lang, type Preset } from '../contracts/aggregate.js'
import { parseContract, parseJson } from '../contracts/parse.js'
import { RefineTechStack } from '../contracts/refine-answers.js'
import { RunKey } from '../contracts/run.js'
import { agentFor } from '../rules/agent-choice.js'
import { type AggregateSettings, resolveSettings } from '../rules/aggregate-settings.js'
import { keyFromName } from '../rules/cli-key.js'
import { techStackFromWords } from '../rules/refine/tech-stack-words.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { type ReadChange, readChange } from '../tools/openspec/read-change.js'
import { readAgentOptions } from './agent-option.js'
import { wantedSettings } from './aggregate-request.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type Context, textOption } from './command.js'

/** What a person asked for with `run refine` or `start refine`: read and checked, nothing uploaded yet. */
export interface RefineRequest extends AgentOptions {
  key: string
  requirement: string
  /** One line of it. */
  title: string
  settings: AggregateSettings
  preset: Preset
  lang: Lang
  techStack: RefineTechStack | null
  openspec: ReadChange | null
  /** Of the person's checkout, absolute: where OpenSpec files lie. Null without `--openspec`. */
  root: string | null
}

/** Throws `Failure` with one line that names the option or file, what was expected and what came. */
export async function readRefineRequest(context: Context, input: CommandInput): Promise<RefineRequest> {
  const agents = await agentsOf(context, input)
  const root = await rootOf(context, input)
  const openspec = await changeOf(input, root)
  const requirement = await requirementOf(context, input, openspec)
  const title = titleOf(requirement)
  const wanted = wantedSettings(input)
  const maxRounds = maxRoundsOf(input)
  const thresholds = { ...wanted.thresholds, ...(maxRounds === undefined ? {} : { max_iterations: maxRounds }) }
  return {
    ...agents,
    key: keyOf(input, openspec, title),
    requirement,
    title,
    settings: resolveSettings({ ...wanted, thresholds }, {}),
    preset: wanted.preset ?? 'standard',
    lang: parseContract(Lang, textOption(input, 'lang') ?? 'en', '--lang'),
    techStack: await techStackOf(context, input),
    openspec,
    root,
  }
}

/** Here --max-rounds are the loop's own. Nobody writes code by a fixed program: that is said before anything is uploaded. */
async function agentsOf(context: Context, input: CommandInput): Promise<AgentOptions> {
  const options = { ...input.options, maxRounds: undefined }
  const read = await readAgentOptions(context, { ...input, options })
  if (agentFor('code-writer', read.agents) !== 'builtin') return read
  const expected = "who writes the code, as in 'code-writer=acp:claude-code-acp' or '*=model:anthropic/NAME'"
  throw mistake('--agent', expected, 'nobody')
}

async function rootOf({ cwd }: Context, input: CommandInput): Promise<string | null> {
  if (textOption(input, 'openspec') === undefined) return null
  const { locateRepository } = await import('../tools/git/locate-repository.js')
  const given = textOption(input, 'repo') ?? '.'
  const { workTree } = locateRepository(resolve(cwd, given))
  if (workTree === null) throw mistake('--repo', 'a checkout, where --openspec finds its files', JSON.stringify(given))
  return workTree
}

async function changeOf(input: CommandInput, root: string | null): Promise<ReadChange | null> {
  const change = textOption(input, 'openspec')
  const task = textOption(input, 'task')
  if (change !== undefined && root !== null) return await readChange(root, change, task)
  if (task !== undefined) throw mistake('--task', '--openspec with it', 'it alone')
  return null
}

/** As typed, from a file with @, or what the change's task says. */
async function requirementOf({ cwd }: Context, input: CommandInput, openspec: ReadChange | null): Promise<string> {
  const given = textOption(input, 'requirement')
  if (given === undefined && openspec !== null) return requirementOfTask(openspec)
  const expected = 'what is to be written, as text or @FILE'
  if (given === undefined) throw mistake('--requirement', expected, 'nothing')
  const text = given.startsWith('@') ? await fileText(resolve(cwd, given.slice(1)), given) : given
  if (text.trim() === '') throw mistake('--requirement', expected, 'an empty text')
  return text
}

function requirementOfTask({ change, task }: ReadChange): string {
  if (task === null) throw mistake('--requirement', `a text: the OpenSpec change ${change} has no open task`, 'nothing')
  const name = task.number === null ? task.text : `${task.number} ${task.text}`
  return `${name}\n\nThis is one task of the OpenSpec change "${change}". Do this task alone; the documents of the change say what it means.\n`
}

async function fileText(path: string, given: string): Promise<string> {
  const bytes = await readBounded(path, 200_000, `--requirement ${given}`)
  return bytes.toString('utf8')
}

function titleOf(requirement: string): string {
  const line = requirement.split('\n').find((each) => each.trim() !== '') ?? ''
  const plain = line
    .replace(/^[#\s>*-]+/, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return (plain === '' ? 'refine' : plain).slice(0, 200)
}

function maxRoundsOf(input: CommandInput): number | undefined {
  const text = textOption(input, 'maxRounds')
  if (text === undefined) return undefined
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= 1000) return Number(text)
  throw mistake('--max-rounds', 'a whole number from 1 to 1000', JSON.stringify(text))
}

/** JSON in a file with @, or words: language, framework, constraints. */
async function techStackOf({ cwd }: Context, input: CommandInput): Promise<RefineTechStack | null> {
  const given = textOption(input, 'techStack')
  if (given === undefined) return null
  if (given.startsWith('@')) {
    const path = resolve(cwd, given.slice(1))
    const bytes = await readBounded(path, 100_000, `--tech-stack ${basename(path)}`)
    return parseJson(RefineTechStack, bytes.toString('utf8'), `--tech-stack ${basename(path)}`)
  }
  const stack = techStackFromWords(given)
  if (stack === null) throw mistake('--tech-stack', "'LANGUAGE, FRAMEWORK, CONSTRAINT, …' or @FILE.json", '""')
  return stack
}

/** The task's name within its change, else the requirement's first words. */
function keyOf(input: CommandInput, openspec: ReadChange | null, title: string): string {
  const given = textOption(input, 'key')
  if (given !== undefined) return parseContract(RunKey, given, '--key')
  if (openspec === null) return keyFromName(title.toLowerCase().split(' ').slice(0, 8).join(' ')).slice(0, 60)
  const task = openspec.task?.number ?? openspec.task?.text ?? ''
  return keyFromName(task === '' ? openspec.change : `${openspec.change}-${task}`).slice(0, 100)
}
