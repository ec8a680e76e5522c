/** What the completion scripts need of a command. */
export interface CompletedCommand {
  /** ['run', 'circt'] */
  path: readonly string[]
  summary: string
  /** '--key', '--json', … */
  options: readonly CompletedOption[]
}

export interface CompletedOption {
  flag: string
  summary: string
  /** Fixed words, or the shell's own files and folders; null takes no value. */
  values: readonly string[] | 'files' | null
}

export type Shell = 'bash' | 'zsh' | 'fish'

/** A completion script for one shell, made of the same declarations as the commands themselves. */
export function renderCompletion(shell: Shell, commands: readonly CompletedCommand[]): string {
  return SCRIPTS[shell](commands)
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const satisfies Record<Shell, unknown>

/** Word by word: what may follow `gauntlet`, and what may follow `gauntlet run`. */
function wordsAfter(commands: readonly CompletedCommand[], path: readonly string[]): string[] {
  const next = commands
    .filter((command) => path.every((word, at) => command.path[at] === word))
    .map((command) => command.path[path.length])
  return [...new Set(next.filter((word) => word !== undefined))]
}

function bashScript(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands)
  const options = commands.map((command) => {
    const flags = command.options.map((option) => option.flag)
    return `    ${quote(command.path.join(' '))}) words=${quote(flags.join(' '))} ;;`
  })
  const values = fixedWords(commands).map(
    ([option, words]) => `    ${quote(option)}) words=${quote(words.join(' '))} ;;`,
  )
  return `# bash completion for gauntlet: put "source <(gauntlet completion bash)" into ~/.bashrc
_gauntlet() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=
  case $command in
    ${groups.map(quote).join('|')}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words=${quote(wordsAfter(commands, []).join(' '))}
  elif [ "$COMP_CWORD" -eq 2 ]; then case \${COMP_WORDS[1]} in
${groups.map((group) => `    ${quote(group)}) words=${quote(wordsAfter(commands, [group]).join(' '))} ;;`).join('\n')}
  esac; fi
  if [ -z "$words" ] && [ "\${word:0:1}" = - ]; then case $command in
${options.join('\n')}
  esac; fi
  case "$command $before" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  if [ \${#COMPREPLY[@]} -eq 0 ] && [ -z "$words" ]; then COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _gauntlet gauntlet
`
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const groups = groupsOf(commands)
  const lines = commands.map((command) => {
    const options = command.options.map((option) => quote(zshOption(option)))
    return `    ${quote(command.path.join(' '))}) _arguments ${[...options, quote('*:file:_files')].join(' ')} ;;`
  })
  const top = wordsAfter(commands, []).map((word) => quote(`${word}:${zshText(summaryOf(commands, [word]))}`))
  const nested = groups.map((group) => {
    const words = wordsAfter(commands, [group]).map((word) =>
      quote(`${word}:${zshText(summaryOf(commands, [group, word]))}`),
    )
    return `    ${quote(group)}) words=(${words.join(' ')}) ;;`
  })
  return `#compdef gauntlet
# zsh completion for gauntlet: put "source <(gauntlet completion zsh)" into ~/.zshrc
_gauntlet() {
  local -a words_before words
  words_before=("\${words[@]}")
  local command=$words_before[2] skip=1
  words=()
  if (( CURRENT == 2 )); then words=(${top.join(' ')}); _describe command words; return; fi
  case $command in
${nested.join('\n')}
  esac
  if (( \${#words} && CURRENT == 3 )); then _describe command words; return; fi
  if (( \${#words} )); then command="$command $words_before[3]"; skip=2; fi
  words=("\${words_before[@]:$skip}"); (( CURRENT -= skip ))
  case $command in
${lines.join('\n')}
  esac
}
compdef _gauntlet gauntlet
`
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const first = wordsAfter(commands, []).map(
    (word) =>
      `complete -c gauntlet -n __fish_use_subcommand -f -a ${quote(word)} -d ${quote(summaryOf(commands, [word]))}`,
  )
  const second = groupsOf(commands).flatMap((group) =>
    wordsAfter(commands, [group]).map((word) => {
      const unseen = `not __fish_seen_subcommand_from ${wordsAfter(commands, [group]).join(' ')}`
      const test = quote(`__fish_seen_subcommand_from ${group}; and ${unseen}`)
      return `complete -c gauntlet -n ${test} -f -a ${quote(word)} -d ${quote(summaryOf(commands, [group, word]))}`
    }),
  )
  const options = commands.flatMap((command) => command.options.map((option) => fishOption(command, option)))
  const head = '# fish completion for gauntlet: save as ~/.config/fish/completions/gauntlet.fish'
  return [head, ...first, ...second, ...options, ''].join('\n')
}

function fishOption({ path }: CompletedCommand, { flag, summary, values }: CompletedOption): string {
  const test = quote(path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and '))
  const taken = values === null ? '' : values === 'files' ? ' -r' : ` -x -a ${quote(values.join(' '))}`
  return `complete -c gauntlet -n ${test} -l ${flag.replace(/^--/, '')}${taken} -d ${quote(summary)}`
}

function zshOption({ flag, summary, values }: CompletedOption): string {
  const head = `${flag}[${zshText(summary)}]`
  if (values === null) return head
  return values === 'files' ? `${head}:value:_files` : `${head}:value:(${values.join(' ')})`
}

/** Brackets and colons mean something in zsh's specifications. */
function zshText(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, ' ')
}

function groupsOf(commands: readonly CompletedCommand[]): string[] {
  const groups = commands.filter(({ path }) => path.length > 1).map(({ path }) => path[0])
  return [...new Set(groups.filter((word) => word !== undefined))]
}

function summaryOf(commands: readonly CompletedCommand[], path: readonly string[]): string {
  const own = commands.find((command) => command.path.join(' ') === path.join(' '))
  return own?.summary ?? `${path.join(' ')} …`
}

/** `gates --format` and its words; of another command the same option may take others. */
function fixedWords(commands: readonly CompletedCommand[]): [string, readonly string[]][] {
  return commands.flatMap(({ path, options }) =>
    options.flatMap(({ flag, values }): [string, readonly string[]][] =>
      values === null || values === 'files' || values.length === 0 ? [] : [[[...path, flag].join(' '), values]],
    ),
  )
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
