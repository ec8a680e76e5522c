import { availableParallelism } from 'node:os'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { LANES, type Lane } from '../../rules/task-queues.js'
import { AGENT_OPTIONS, readAgentOptions } from '../agent-option.js'
import { circtPlaces } from '../circt-run.js'
import { mistake } from '../cli-error.js'
import { type Command, type CommandInput, type CommandOption, textOption } from '../command.js'
import { openEngine } from '../engine.js'
import { keepRunning } from '../keep-running.js'
import { CIRCT_PLACES, STORE_OPTION } from './circt-options.js'

export const SLOTS_OPTION = {
  flags: '--slots <N>',
  summary: `programs at once (default: one per core, here ${availableParallelism()})`,
}

/** Runs only name their agents: what the names mean, each worker knows for itself. */
const KNOWN_AGENTS: readonly CommandOption[] = [
  {
    flags: '--agent <ROLE=BACKEND>',
    summary:
      'an agent that runs started elsewhere name: in the words they were given, and at the same path; or write agents/NAME.json here ' +
      'and there, and give the runs ROLE=NAME',
    isRepeatable: true,
  },
  ...AGENT_OPTIONS.filter(({ flags }) => /^--agent-(env|host) /.test(flags)),
]

export const workerCommand: Command = {
  path: ['worker'],
  summary: 'do the work of runs until Ctrl-C; several workers may share a server and a store',
  options: [
    { flags: '--lanes <LANES>', summary: `which work to take, of ${LANES.join(',')} (default: all)` },
    SLOTS_OPTION,
    ...KNOWN_AGENTS,
    ...CIRCT_PLACES,
    STORE_OPTION,
  ],
  examples: [
    'gauntlet worker',
    'TEMPORAL_ADDRESS=temporal:7233 gauntlet worker --lanes tools --slots 8 --store /mnt/store',
    "gauntlet worker --store /mnt/store --agent 'coder=acp:/opt/agents/claude-code-acp'",
  ],
  run: async (context, input) => {
    const { agents } = await readAgentOptions(context, input)
    for (const { agent } of agents) context.terminal.note(`knows the agent ${agent}`)
    const places = await circtPlaces(context, input)
    const lanes = lanesOf(input)
    const engine = await openEngine(context, { ...places, lanes, toolSlots: slotsOf(input), note: 'worker' })
    try {
      context.terminal.note(`worker on ${engine.server.address}, store ${engine.storeId}; Ctrl-C stops it`)
      await keepRunning(context, engine, () => Promise.resolve())
    } finally {
      await engine.close()
    }
    return { exit: EXIT.good, json: { stopped: true }, text: '' }
  },
}

export function slotsOf(input: CommandInput): number | undefined {
  const text = textOption(input, 'slots')
  if (text === undefined) return undefined
  const slots = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (slots < 1) throw mistake('--slots', 'a whole number from 1 to 999', JSON.stringify(text))
  return slots
}

function lanesOf(input: CommandInput): readonly Lane[] | undefined {
  const text = textOption(input, 'lanes')
  if (text === undefined) return undefined
  const words = text.split(',').map((word) => word.trim())
  const lanes = LANES.filter((lane) => words.includes(lane))
  if (lanes.length === 0 || lanes.length < new Set(words).size) {
    throw mistake('--lanes', `some of ${LANES.join(', ')} with commas between`, JSON.stringify(text))
  }
  return lanes
}
