import { AGENT_OPTIONS } from '../agent-option.js'
import type { CommandOption } from '../command.js'

/** What `run eval` and `start eval` take. */
export const EVAL_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--candidates <DIR|FILE.json>',
    summary: 'a folder whose entries are the candidates, or a list of {name, text | file | folder | branch}',
    takesFile: true,
  },
  { flags: '--criteria <FILE>', summary: 'what to judge by: one per line, or JSON', takesFile: true },
  {
    flags: '--judge <NAME=BACKEND>',
    summary:
      "'tests=builtin:tests:./checks', 'size=builtin:size', 'mine=builtin:score:./judge.js', 'ada=model:anthropic/NAME', 'ben=command:./judge.py'",
    isRepeatable: true,
  },
  { flags: '--spare <NAME=BACKEND>', summary: 'takes the seat of a judge that fails', isRepeatable: true },
  { flags: '--rounds <N>', summary: '1 to 4 (default: what the mode says, and more when it cannot decide)' },
  {
    flags: '--threshold <N>',
    summary: 'weighted votes that eliminate in round 1 (default: 2, with one judge or quick 1)',
  },
  {
    flags: '--mode <MODE>',
    summary: 'how deep',
    choices: ['quick', 'standard', 'thorough', 'adversarial'],
    default: 'standard',
  },
  { flags: '--blind', summary: 'judges see letters in place of names (the default)' },
  { flags: '--no-blind', summary: 'judges see the names' },
  { flags: '--no-shuffle', summary: 'every judge sees the candidates in the order given' },
  { flags: '--ask-twice', summary: 'screeners answer twice, the order turned around (default: unless quick)' },
  { flags: '--no-ask-twice', summary: 'screeners answer once' },
  { flags: '--seed <N>', summary: 'of the orders in which judges see the candidates (default: from the input)' },
  { flags: '--limit <DURATION>', summary: 'for one answer or measurement (default: 10m)' },
  { flags: '--key <KEY>', summary: "the run's name (default: of the candidates' folder or file)" },
  { flags: '--ask', summary: 'keep questions open though nobody is at a terminal; answer with `gauntlet answer`' },
  {
    flags: '--answer-within <DURATION>',
    summary: 'how long questions wait before their default stands (default: 24h)',
  },
  { flags: '--unsandboxed', summary: 'agree to run candidates without bubblewrap where there is none' },
  // Judges name their own agents.
  ...AGENT_OPTIONS.filter(({ flags }) => !flags.startsWith('--agent <')),
]
