import type { CommandArgument, CommandOption } from '../command.js'

export const CASE_DIR: CommandArgument = { name: 'CASE_DIR', summary: 'folder with source.{sv,fir,mlir} and error.txt' }

/** What both `run circt` and `start circt` take. */
export const CASE_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--command <COMMAND>',
    summary: "what crashes, such as 'firtool {input}' (default: from error.txt, then command.txt)",
  },
  {
    flags: '--interesting <SCRIPT>',
    summary: 'exits 0 while its argument still shows the bug; for bugs that are not crashes',
    takesFile: true,
  },
  { flags: '--issues <FILE>', summary: 'JSON array of GitHub issues to search instead of GitHub', takesFile: true },
  { flags: '--repo <OWNER/NAME>', summary: 'whose issues are searched', default: 'llvm/circt' },
  {
    flags: '--schedule <SCHEDULE>',
    summary: 'when steps start',
    choices: ['eager', 'phased', 'serial'],
    default: 'eager',
  },
  { flags: '--key <KEY>', summary: "the run's name (default: the folder's)" },
  { flags: '--ask', summary: 'keep questions open though nobody is at a terminal; answer with `gauntlet answer`' },
  {
    flags: '--answer-within <DURATION>',
    summary: 'how long questions wait before their default stands (default: 24h)',
  },
  { flags: '--unsandboxed', summary: 'agree to run without bubblewrap where there is none' },
]

export const STORE_OPTION: CommandOption = {
  flags: '--store <DIR>',
  summary: 'artifact store (default: in the state home)',
  takesFile: true,
}

export const CIRCT_PLACES: readonly CommandOption[] = [
  {
    flags: '--circt-bin <DIR>',
    summary: 'folder with firtool, circt-opt, … (default: CIRCT_BIN, PATH, a fetched release)',
    takesFile: true,
  },
  { flags: '--circt-src <DIR>', summary: 'a CIRCT checkout, for suggested source files', takesFile: true },
]
