import { createHash } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { AgentDefinition, AgentNetwork } from '../contracts/agent-definition.js'
import { AgentAssignments, type AgentOptions } from '../contracts/agent.js'
import type { Budget } from '../contracts/budget.js'
import { parseContract } from '../contracts/parse.js'
import { type AgentFlag, readAgentFlag } from '../rules/agent-flag.js'
import { splitWords } from '../rules/circt/command-words.js'
import { parseDuration } from '../rules/cli-duration.js'
import { readDefinition, writeDefinition } from '../tools/agent-definitions.js'
import { findAgentProgram } from '../tools/agent-program.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { mistake } from './cli-error.js'
import { type CommandInput, type CommandOption, type Context, manyOption, textOption } from './command.js'

/** What every pipeline that asks agents takes. */
export const AGENT_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--agent <ROLE=BACKEND>',
    summary:
      "who answers: 'coder=command:./agent.py', '*=acp:claude-code-acp', 'reviewer=builtin'; the last that fits wins",
    isRepeatable: true,
  },
  { flags: '--agent-env <NAME>', summary: 'a variable that programs of agents are given', isRepeatable: true },
  {
    flags: '--agent-host <HOST>',
    summary: 'HOST[:PORT] that they may reach; * for any public one (default: * for acp, none for command)',
    isRepeatable: true,
  },
  { flags: '--max-tokens <N>', summary: 'stop before agents have used more' },
  { flags: '--max-cost <DOLLARS>', summary: 'stop before agents have cost more' },
  { flags: '--max-rounds <N>', summary: 'stop before agents are asked more often' },
  { flags: '--max-time <DURATION>', summary: 'stop before the run takes longer' },
]

/**
 * Reads the options above. Programs and scripts become definitions in the state home, where the worker of this machine finds them; the
 * run itself only names them. Throws a mistake of the person.
 */
export async function readAgentOptions(context: Context, input: CommandInput): Promise<AgentOptions> {
  const agents: AgentAssignments = []
  for (const text of manyOption(input, 'agent')) agents.push(await assignmentOf(context, input, text))
  return { agents: parseContract(AgentAssignments, agents, '--agent'), budget: budgetOf(input) }
}

async function assignmentOf(context: Context, input: CommandInput, text: string): Promise<AgentAssignments[number]> {
  const flag = readAgentFlag(text)
  if ('expected' in flag) throw mistake('--agent', flag.expected, flag.came)
  return { role: flag.role, agent: await nameOf(context, input, flag) }
}

async function nameOf(context: Context, input: CommandInput, flag: AgentFlag): Promise<string> {
  if (flag.kind === 'builtin') return 'builtin'
  if (flag.kind === 'model') return `model:${flag.model}`
  if (flag.kind === 'named') return await knownName(context, flag.name)
  const { definition, file } =
    flag.kind === 'script' ? await scriptOf(context, flag.file) : programOf(context, input, flag)
  const name = nameFor(definition, file)
  await writeDefinition(context.home, name, definition)
  return name
}

async function knownName({ home }: Context, name: string): Promise<string> {
  if ((await readDefinition(home, name)) !== null) return name
  throw mistake(
    '--agent',
    `builtin, model:…, command:…, acp:…, script:… or an agent defined in agents/${name}.json`,
    `"${name}"`,
  )
}

interface Defined {
  definition: AgentDefinition
  /** What its name is made of. */
  file: string
}

async function scriptOf({ cwd }: Context, file: string): Promise<Defined> {
  const path = resolve(cwd, file)
  const bytes = await readBounded(path, 16 * 1024 ** 2, `--agent script:${file}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { definition: { kind: 'script', file: path, sha256 }, file: path }
}

function programOf({ cwd, env }: Context, input: CommandInput, flag: Extract<AgentFlag, { line: string }>): Defined {
  const split = splitWords(flag.line)
  if ('problem' in split)
    throw mistake('--agent', `a command without a shell's marks behind ${flag.kind}:`, split.problem)
  const found = findAgentProgram({ words: split.words, cwd, env })
  if (found === null) throw mistake('--agent', 'a program that can be run', JSON.stringify(split.words[0] ?? ''))
  const names = manyOption(input, 'agentEnv')
  const missing = names.find((name) => env[name] === undefined)
  if (missing !== undefined) throw mistake('--agent-env', 'a variable that is set', JSON.stringify(missing))
  const hosts = manyOption(input, 'agentHost')
  const network = hosts.length === 0 ? {} : { network: networkOf(hosts) }
  const definition = parseContract(AgentDefinition, { kind: flag.kind, ...found, env: names, ...network }, '--agent')
  return {
    definition,
    file: split.words.find((word) => /\.\w+$/.test(word)) ?? found.argv[0],
  }
}

function networkOf(hosts: readonly string[]): AgentNetwork {
  return hosts.includes('*') ? true : parseContract(AgentNetwork, { hosts }, '--agent-host')
}

/** After what it is, with a digest of all that it says: another program is another agent, and the same one the same. */
function nameFor(definition: AgentDefinition, file: string): string {
  const plain = basename(file)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 40)
  const digest = createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, 8)
  return `${definition.kind}-${plain}-${digest}`
}

function budgetOf(input: CommandInput): Budget {
  const time = textOption(input, 'maxTime')
  const seconds = time === undefined ? null : parseDuration(time)
  if (time !== undefined && (seconds === null || seconds === 0))
    throw mistake('--max-time', "a duration such as '90m' or '2h'", `"${time}"`)
  return {
    tokens: numberOf(input, { option: 'maxTokens', flag: '--max-tokens', isWhole: true }),
    cost: numberOf(input, { option: 'maxCost', flag: '--max-cost', isWhole: false }),
    rounds: numberOf(input, { option: 'maxRounds', flag: '--max-rounds', isWhole: true }),
    seconds,
  }
}

function numberOf(
  input: CommandInput,
  { option, flag, isWhole }: { option: string; flag: string; isWhole: boolean },
): number | null {
  const text = textOption(input, option)
  if (text === undefined) return null
  const isNumber = isWhole ? /^\d{1,12}$/.test(text) : /^\d{1,9}(\.\d{1,6})?$/.test(text)
  if (isNumber && Number(text) > 0) return Number(text)
  throw mistake(flag, isWhole ? 'a whole number above 0' : 'an amount above 0, as in 2.50', JSON.stringify(text))
}
