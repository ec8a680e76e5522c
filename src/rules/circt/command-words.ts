/** What splitting a command line gives: its words, or what stands in the way. */
export type SplitWords = { words: string[] } | { problem: string }

/**
 * Splits a line into words as a POSIX shell would: blanks, single and double quotes, backslashes. Nothing is expanded: whatever a shell would act
 * on outside quotes (pipes, redirections, substitutions, globs, comments, several commands) is refused by name. One pass over the text.
 * `isArgv`: the line lists the arguments of a process, as LLVM's stack dump does; no shell will ever read it, so those characters are text.
 */
export function splitWords(line: string, isArgv = false): SplitWords {
  const state: State = { words: [], word: null, quote: null, problem: null, isArgv }
  const characters = Array.from(line.trim())
  for (let at = 0; at < characters.length && state.problem === null; at += 1) at += step(state, characters, at)
  if (state.problem !== null) return { problem: state.problem }
  if (state.quote !== null) return { problem: `a quote (${state.quote}) is not closed` }
  endWord(state)
  return { words: state.words }
}

interface State {
  words: string[]
  /** Null between words; '' is an empty word that was quoted. */
  word: string | null
  quote: '"' | "'" | null
  problem: string | null
  isArgv: boolean
}

/** Handles one character and returns how many more were used up. */
function step(state: State, characters: readonly string[], at: number): number {
  const character = characters[at] ?? ''
  if (state.quote === "'") return inSingleQuotes(state, character)
  if (character === '\\') return escaped(state, characters[at + 1])
  if (!state.isArgv && (character === '`' || character === '$'))
    return refuse(state, `"${character}" would be expanded by a shell`)
  if (state.quote === '"') return inDoubleQuotes(state, character)
  return unquoted(state, character)
}

function inSingleQuotes(state: State, character: string): number {
  if (character === "'") state.quote = null
  else append(state, character)
  return 0
}

function inDoubleQuotes(state: State, character: string): number {
  if (character === '"') state.quote = null
  else append(state, character)
  return 0
}

function unquoted(state: State, character: string): number {
  if (character === '"' || character === "'") {
    state.quote = character
    append(state, '')
    return 0
  }
  if ('\r\n\0'.includes(character)) return refuse(state, 'it has more than one line')
  if (/\s/.test(character)) endWord(state)
  else refuseOrAppend(state, character)
  return 0
}

function refuseOrAppend(state: State, character: string): void {
  const meaning = state.isArgv ? undefined : SHELL_MEANINGS.get(character)
  if (meaning !== undefined) refuse(state, `"${character}" is ${meaning}`)
  else if (character === '#' && state.word === null && !state.isArgv) refuse(state, '"#" starts a comment')
  else append(state, character)
}

const SHELL_MEANINGS = new Map([
  ['|', 'a pipe'],
  ['>', 'a redirection'],
  ['<', 'a redirection'],
  [';', 'the end of a command'],
  ['&', 'a background mark'],
  ['*', 'a file name pattern (quote it)'],
  ['?', 'a file name pattern (quote it)'],
  ['(', 'a subshell (quote it)'],
  [')', 'a subshell (quote it)'],
])

function escaped(state: State, next: string | undefined): number {
  if (next === undefined) return refuse(state, 'it ends in a backslash')
  const isLiteral = state.quote === '"' && !'"\\$`'.includes(next)
  append(state, isLiteral ? `\\${next}` : next)
  return 1
}

function append(state: State, text: string): void {
  state.word = (state.word ?? '') + text
}

function endWord(state: State): void {
  if (state.word !== null) state.words.push(state.word)
  state.word = null
}

function refuse(state: State, problem: string): number {
  state.problem = problem
  return 0
}
