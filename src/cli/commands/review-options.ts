import { AGENT_OPTIONS } from '../agent-option.js'
import type { CommandOption } from '../command.js'
import { STORE_OPTION } from './circt-options.js'

/** How its report is wanted: asked of whoever reads it. */
export const REPORT_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--format <FORM>',
    summary:
      'detailed, array, markdown, sarif, rdjson, or a file with a JSON Schema (default: a short list, detailed with --json)',
    takesFile: true,
  },
  {
    flags: '--fail-on <SEVERITY>',
    summary: 'exit 1 when something at least as bad is found: Critical, High, Medium or Low',
  },
]

/** What a review takes. */
export const REVIEW_OPTIONS: readonly CommandOption[] = [
  { flags: '--diff <RANGE>', summary: "'A..B', 'A...B', or 'A' against the working tree (default: HEAD)" },
  { flags: '--files <GLOB>', summary: 'review files as they stand, not a change', isRepeatable: true, takesFile: true },
  { flags: '--snippet <FILE>', summary: 'review one text; - is stdin', takesFile: true },
  { flags: '--patch <FILE>', summary: 'review a patch; - is stdin', takesFile: true },
  {
    flags: '--repo <PATH>',
    summary: 'folder the files or the repository are in; only read (default: here)',
    takesFile: true,
  },
  {
    flags: '--task <FILE>',
    summary: 'the task as JSON (task_id, working_directory, task_desc, …); - is stdin; what is typed counts more',
    takesFile: true,
  },
  { flags: '--focus <WORDS>', summary: 'what to look at first, as in Security,Performance' },
  { flags: '--require <TEXT>', summary: 'a requirement of this review', isRepeatable: true },
  {
    flags: '--content-dir <DIR>',
    summary: 'folder of the content file (default: ~/.cache/codeDoggy/review_content)',
    takesFile: true,
  },
  { flags: '--task-id <ID>', summary: 'names the review: at least 10 characters (default: made of what is reviewed)' },
  {
    flags: '--part-tokens <N>',
    summary: 'tokens of one part; big input is cut into several (default: 24000, 400000 for builtin)',
  },
  ...AGENT_OPTIONS,
  { flags: '--key <KEY>', summary: "the run's name (default: the task id)" },
  { flags: '--ask', summary: 'keep questions open though nobody is at a terminal; answer with `gauntlet answer`' },
  {
    flags: '--answer-within <DURATION>',
    summary: 'how long questions wait before their default stands (default: 24h)',
  },
  { flags: '--unsandboxed', summary: 'agree to run without bubblewrap where there is none' },
  STORE_OPTION,
]
