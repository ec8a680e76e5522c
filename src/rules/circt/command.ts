import type { CaseCommand } from '../../contracts/circt.js'
import { CIRCT_TOOL_NAMES, isCirctTool } from './command-tools.js'
import { splitWords } from './command-words.js'
import type { CommandLine } from './error-text-command.js'

/** A command the toolchain can run, or what is wrong with the one that came. */
export type ReadCommand = { command: CaseCommand } | { problem: string }

/**
 * Reads a command line into `{tool, version, args}` with `{input}` in the source's place. `sourceNames` are the names the source goes by.
 * Refused: what only a shell could run, a program outside the toolchain, environment assignments, response files, arguments that lead out of
 * the case's folder, no or several places for the input. Outputs (`-o`) keep only their last name, so that they land in the scratch folder.
 */
export function readCommand(command: CommandLine, sourceNames: readonly string[]): ReadCommand {
  const split = splitWords(command.line, command.isArgv)
  if ('problem' in split) return split
  const [program, ...rest] = split.words
  if (program === undefined) return { problem: 'it is empty' }
  if (/^\w+=/.test(program)) return { problem: `"${program}" sets the environment` }
  const tool = program.slice(program.lastIndexOf('/') + 1)
  if (!isCirctTool(tool)) return { problem: `"${tool}" is not one of ${CIRCT_TOOL_NAMES.join(', ')}` }
  const args = withInput(withoutReproducer(withLocalOutput(rest)), sourceNames)
  if ('problem' in args) return args
  const problem = args.words.map(problemOfArgument).find((each) => each !== null) ?? problemOfLength(args.words)
  if (problem !== null) return { problem }
  return { command: { tool, version: /(?:^|[/-])(\d+\.\d+\.\d+)\//.exec(program)?.[1] ?? null, args: args.words } }
}

/** `-o /tmp/x/out.v` → `-o out.v`. */
function withLocalOutput(words: readonly string[]): string[] {
  return words.map((word, at) => {
    if (words[at - 1] === '-o' || words[at - 1] === '--o') return localName(word)
    const joined = /^(--?o=)(.+)$/.exec(word)
    return joined === null ? word : `${joined[1]}${localName(joined[2] ?? '')}`
  })
}

function localName(path: string): string {
  if (path === '-' || path === '/dev/null') return path
  return path.split('/').findLast((part) => part !== '' && part !== '.' && part !== '..') ?? '-'
}

/** The engine adds these flags itself, and the tools refuse them twice. */
function withoutReproducer(words: readonly string[]): string[] {
  const isReproducer = (word: string): boolean => /^--?mlir-pass-pipeline-(?:crash|local)-reproducer(?:=|$)/.test(word)
  const isItsValue = (at: number): boolean => /^--?mlir-pass-pipeline-crash-reproducer$/.test(words[at - 1] ?? '')
  return words.filter((word, at) => !isReproducer(word) && !isItsValue(at))
}

function withInput(
  words: readonly string[],
  sourceNames: readonly string[],
): { words: string[] } | { problem: string } {
  const marked = words.filter((word) => word.includes('{input}'))
  if (marked.length === 1) return { words: [...words] }
  if (marked.length > 1) return { problem: 'it has {input} more than once' }
  const named = words.flatMap((word, at) => (sourceNames.includes(baseName(word)) ? [at] : []))
  const sources = words.flatMap((word, at) => (isSourceWord(words, at) ? [at] : []))
  const dash = words.flatMap((word, at) => (word === '-' && words[at - 1] !== '-o' ? [at] : []))
  const places = [named, sources, dash].find((each) => each.length > 0) ?? []
  if (places.length > 1)
    return { problem: `it names more than one source (${places.map((at) => words[at]).join(', ')})` }
  const place = places[0]
  if (place === undefined)
    return { problem: `it has no place for the source: expected {input} or ${sourceNames.join(', ')}` }
  return { words: words.map((word, at) => (at === place ? '{input}' : word)) }
}

function isSourceWord(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  return /^[^-@].*\.(?:sv|v|svh|vh|fir|mlir|mlirbc)$/.test(word.slice(0, 1000)) && words[at - 1] !== '-o'
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1)
}

function problemOfArgument(word: string): string | null {
  if (word.startsWith('@')) return `"${word}" names a response file`
  if (word === '/dev/null' || word.endsWith('=/dev/null')) return null
  if (/(?:^|[=,:]|^-[A-Za-z])\//.test(word) || /(?:^|[/=,:])\.\.(?:\/|$)/.test(word)) {
    return `"${word.slice(0, 200)}" leads out of the case's folder`
  }
  return word.includes('\u0000') ? 'it holds a NUL character' : null
}

function problemOfLength(words: readonly string[]): string | null {
  if (words.length > 200) return `it has ${words.length} arguments, at most 200 are expected`
  return words.some((word) => word.length > 4096) ? 'an argument is longer than 4,096 characters' : null
}
