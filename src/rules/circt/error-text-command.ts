import { CIRCT_TOOL_NAMES } from './command-tools.js'

/** A command as some text shows it. `isArgv`: a process's own list of arguments, in which a shell's characters mean nothing. */
export interface CommandLine {
  line: string
  isArgv: boolean
}

/**
 * The line that ran the crashing tool: LLVM's own `Program arguments:` first, then a fuzzer's `--- Compilation Command ---` section, then a
 * line that starts with (or pipes into) a tool of the toolchain. Of a pipeline only the part that ran the crashing tool is returned.
 * Null when the text names none.
 */
export function commandLineOf(lines: readonly string[]): CommandLine | null {
  const stackDump = lines.find((line) => PROGRAM_ARGUMENTS.test(line))
  if (stackDump !== undefined) return { line: stackDump.replace(PROGRAM_ARGUMENTS, '').trim(), isArgv: true }
  const header = lines.findIndex((line) => /^-{3,} *compilation command *-{3,}$/i.test(line.trim()))
  const section = header < 0 ? [] : lines.slice(header + 1, header + 6)
  const tool = crashingToolOf(lines)
  for (const line of [...section, ...lines.slice(0, MAX_LINES).filter((each) => STARTS_LIKE_COMMAND.test(each))]) {
    const part = partThatRuns(line, tool)
    if (part !== null) return { line: part, isArgv: false }
  }
  return null
}

const MAX_LINES = 2000
/** Programs that only start another one, and environment assignments. */
const WRAPPER = /^(?:(?:timeout|time|env|nice|gdb|--args|-\w{1,20}|\d{1,6}[smh]?|[A-Z_]{1,60}=\S{0,300})\s{1,4}){1,10}/
const REDIRECTION = /\s{1,8}(?:\d?>&\d|(?:\d?>>?|<)\s{0,8}\S{1,1000})/g
const PROGRAM_ARGUMENTS = /^\s{0,8}\d{0,3}\.?\s{0,8}Program arguments: /
const PROMPT = /^(?:\s{0,8}(?:[$>+]|(?:[Cc]ommand|[Rr]un|RUN):)\s{1,4})?/
const STARTS_LIKE_COMMAND = new RegExp(`(?:^|[\\s/|])(?:${CIRCT_TOOL_NAMES.join('|')})(?:\\s|$)`)

/** glibc's assertion line starts with the program's name: with several tools in a pipeline that tells which of them died. */
function crashingToolOf(lines: readonly string[]): string | null {
  const line = lines.find((each) => each.includes('Assertion `'))
  const name = /^([\w.-]{1,100}): /.exec(line ?? '')?.[1]
  return name !== undefined && CIRCT_TOOL_NAMES.some((tool) => tool === name) ? name : null
}

function partThatRuns(line: string, crashed: string | null): string | null {
  const parts = line
    .slice(0, 4096)
    .replace(PROMPT, '')
    .split(/&&|\|\||[|;]/)
    .map((part) => part.replace(REDIRECTION, ' ').trim().replace(WRAPPER, ''))
  const running = parts.filter((part) => toolOf(part) !== null)
  return running.find((part) => toolOf(part) === crashed) ?? running.at(-1) ?? null
}

function toolOf(part: string): string | null {
  const program = /^["']?([^\s"']{1,1000})/.exec(part)?.[1] ?? ''
  const name = program.slice(program.lastIndexOf('/') + 1)
  return CIRCT_TOOL_NAMES.some((tool) => tool === name) ? name : null
}
