import { AGENT_OPTIONS } from '../agent-option.js'
import type { CommandArgument, CommandOption } from '../command.js'
import { REPOSITORY_OPTIONS } from '../run-repository.js'

export const INSTRUCTION: CommandArgument = {
  name: 'INSTRUCTION',
  summary: 'what you want, in a sentence or more; @FILE reads it',
}

/** What a run takes before it is about tasks. */
export const PLAN_OPTIONS: readonly CommandOption[] = [
  ...REPOSITORY_OPTIONS,
  {
    flags: '--quality <LEVEL>',
    summary: "what the gates ask for (default: the project's own, else strict)",
    choices: ['fast', 'balanced', 'strict'],
  },
  {
    flags: '--isolation <MODE>',
    summary: 'auto: risky tasks get a branch of their own; always: every task does',
    choices: ['auto', 'always'],
    default: 'auto',
  },
  ...AGENT_OPTIONS,
  { flags: '--key <KEY>', summary: "the run's name (default: of repository and instruction)" },
  { flags: '--ask', summary: 'keep questions open though nobody is at a terminal; answer with `gauntlet answer`' },
  {
    flags: '--answer-within <DURATION>',
    summary: 'how long questions wait before their default stands (default: 24h)',
  },
  { flags: '--unsandboxed', summary: 'agree to run agents and tests without bubblewrap where there is none' },
]

/** What `run phase` and `start phase` take. */
export const PHASE_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--plan <FILE>',
    summary: 'a plan as `gauntlet plan --json` prints it, in place of a planner',
    takesFile: true,
  },
  { flags: '--parallel <N>', summary: 'tasks at work at once, 1 to 16', default: '3' },
  {
    flags: '--approve <POINTS>',
    summary: 'where a person is asked: some of plan,merge (default: both, where somebody can answer)',
  },
  { flags: '--yes', summary: 'ask nobody for approval' },
  ...PLAN_OPTIONS,
]
