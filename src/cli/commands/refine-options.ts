import { AGENT_OPTIONS } from '../agent-option.js'
import type { CommandOption } from '../command.js'
import { REPOSITORY_OPTIONS } from '../run-repository.js'
import { STORE_OPTION } from './circt-options.js'

/** What both `run refine` and `start refine` take. */
export const REFINE_OPTIONS: readonly CommandOption[] = [
  { flags: '--requirement <TEXT>', summary: 'what is to be written or mended; @FILE reads it from a file' },
  ...REPOSITORY_OPTIONS,
  { flags: '--against <REF>', summary: 'judge all that differs from this earlier commit (default: the base)' },
  {
    flags: '--openspec <CHANGE>',
    summary: 'change in openspec/changes: its documents are read, its context.md and tasks.md kept up',
  },
  { flags: '--task <NUMBER>', summary: "number or text of the change's task (default: the first that is open)" },
  { flags: '--tech-stack <WORDS>', summary: "'Python 3.12, FastAPI, async/await' or @FILE.json (default: detected)" },
  {
    flags: '--preset <PRESET>',
    summary: 'thresholds and weights by name',
    choices: ['standard', 'strict', 'mvp'],
    default: 'standard',
  },
  { flags: '--thresholds <NAME=NUMBER,…>', summary: 'own ones, as for `aggregate`' },
  { flags: '--weights <NAME=NUMBER,…>', summary: 'of security, quality and performance; they add up to 1' },
  { flags: '--max-rounds <N>', summary: "rounds before the loop gives up (default: the preset's)" },
  { flags: '--lang <LANG>', summary: 'of feedback and questions', choices: ['en', 'zh'], default: 'en' },
  ...AGENT_OPTIONS.filter(({ flags }) => !flags.startsWith('--max-rounds ')),
  { flags: '--key <KEY>', summary: "the run's name (default: the task's, or the requirement's first words)" },
  { flags: '--ask', summary: 'keep questions open though nobody is at a terminal; answer with `gauntlet answer`' },
  {
    flags: '--answer-within <DURATION>',
    summary: 'how long questions wait before their default stands (default: 24h)',
  },
  { flags: '--unsandboxed', summary: 'agree to run without bubblewrap where there is none' },
  STORE_OPTION,
]
