import { type CompletedCommand, renderCompletion, type Shell } from '../../rules/cli-completion.js'
import { EXIT } from '../../rules/cli-exit-codes.js'
import { mistake } from '../cli-error.js'
import { argument, type Command } from '../command.js'

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

export const completionCommand: Command = {
  path: ['completion'],
  summary: 'print the completion script of a shell',
  arguments: [{ name: 'SHELL', summary: SHELLS.join(', ') }],
  examples: [
    'source <(gauntlet completion bash)',
    'gauntlet completion fish > ~/.config/fish/completions/gauntlet.fish',
  ],
  run: async (_, input) => {
    const given = argument(input, 'SHELL')
    const shell = SHELLS.find((each) => each === given)
    if (shell === undefined) throw mistake('SHELL', `one of ${SHELLS.join(', ')}`, JSON.stringify(given))
    // The list of commands holds this one too.
    const { allCommands } = await import('./all-commands.js')
    const script = renderCompletion(shell, (await allCommands()).map(completed))
    return { exit: EXIT.good, json: { shell, script }, text: script.trimEnd() }
  },
}

/** The part of a declaration that completion needs. */
export function completed({ path, summary, options = [] }: Command): CompletedCommand {
  const own = options.map((option) => {
    const [flag = '', value] = option.flags.split(' ')
    const values = option.choices ?? (option.takesFile === true ? ('files' as const) : value === undefined ? null : [])
    return { flag, summary: option.summary, values }
  })
  return { path, summary, options: [...own, ...COMMON] }
}

const COMMON: CompletedCommand['options'] = [
  { flag: '--json', summary: 'print exactly one JSON document', values: null },
  { flag: '--help', summary: 'say how to use it', values: null },
]
