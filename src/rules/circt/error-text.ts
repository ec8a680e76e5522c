import { commandLineOf, type CommandLine } from './error-text-command.js'
import { diagnosticsOf, type Diagnostic } from './error-text-diagnostics.js'
import { exportedStackOf, stackOf, type StackFrame } from './error-text-stack.js'

/** What a compiler's stderr, a fuzzer's report or a person's `error.txt` says. */
export interface ErrorText {
  isEmpty: boolean
  /** The line that ran the crashing tool, as printed; not yet split or checked. */
  command: CommandLine | null
  /** '1.155.0' when a path in the text names the release. */
  version: string | null
  assertion: { message: string; file: string | null; line: number | null; function: string | null } | null
  /** Text after `LLVM ERROR: `. */
  fatalError: string | null
  /** Pass name as MLIR's crash reproducer or IR dumps print it, e.g. 'CanonicalizerPass'. */
  failingPass: string | null
  /** A symbolised stack dump, innermost first, noise included. */
  stack: StackFrame[]
  /** Functions of a stack dump without symbols: the exported ones only. */
  exportedStack: string[]
  diagnostics: Diagnostic[]
  /** 'SIGSEGV' and the like when the text names a signal. */
  signal: string | null
  /** The text is what a dying LLVM tool prints. */
  isCrash: boolean
  isTimeout: boolean
  isOutOfMemory: boolean
}

/** Reads an error text of any size in one pass; lines are cut at 4,096 characters, and text beyond 8 million characters is not read. */
export function parseErrorText(text: string): ErrorText {
  const bounded = text.slice(0, MAX_TEXT)
  const lines = bounded.split('\n').map((line) => line.slice(0, MAX_LINE).trimEnd())
  const stack = stackOf(lines)
  return {
    isEmpty: bounded.trim() === '',
    command: commandLineOf(lines),
    version: /(?:^|[\s(/])firtool-(\d{1,4}\.\d{1,4}\.\d{1,4})\//.exec(bounded)?.[1] ?? null,
    assertion: assertionOf(lines),
    fatalError: afterFirst(lines, 'LLVM ERROR: '),
    failingPass: failingPassOf(lines),
    stack,
    exportedStack: exportedStackOf(lines),
    diagnostics: diagnosticsOf(lines),
    signal: signalOf(lines),
    isCrash: stack.length > 0 || has(lines, CRASH_WORDS),
    isTimeout: has(lines, TIMEOUT_WORDS),
    isOutOfMemory: has(lines, MEMORY_WORDS),
  }
}

const MAX_TEXT = 8_000_000
const MAX_LINE = 4096

const CRASH_WORDS =
  /PLEASE submit a bug report|^Stack dump:|Segmentation fault|core dumped|received signal SIG|UNREACHABLE executed|^Aborted\b/
const TIMEOUT_WORDS =
  /\b(?:timed out|timeout:|time limit exceeded|timeout (?:of|after)|infinite loop|does not terminate|hangs? (?:forever|here|in))\b|^(?:Timeout|TIMEOUT|Hang)\b|^Crash Type: *(?:timeout|hang)/i
const MEMORY_WORDS = /std::bad_alloc|out of memory|Cannot allocate memory|memory limit exceeded|^Killed\b|oom-?kill/i

function has(lines: readonly string[], words: RegExp): boolean {
  return lines.some((line) => words.test(line))
}

function afterFirst(lines: readonly string[], mark: string): string | null {
  const line = lines.find((each) => each.includes(mark))
  return line === undefined ? null : line.slice(line.indexOf(mark) + mark.length).trim()
}

/** glibc: `tool: file.cpp:12: function: Assertion `text' failed.`; the BSDs: `Assertion failed: (text), function f, file g.cpp, line 3.` */
function assertionOf(lines: readonly string[]): ErrorText['assertion'] {
  for (const line of lines) {
    const found = glibcAssertion(line) ?? bsdAssertion(line) ?? unreachable(line)
    if (found !== null) return found
  }
  return null
}

function glibcAssertion(line: string): ErrorText['assertion'] {
  const start = line.indexOf('Assertion `')
  const end = line.lastIndexOf("' failed")
  if (start < 0 || end <= start) return null
  const message = line.slice(start + 'Assertion `'.length, end)
  const place = /([^\s:]{1,300}\.(?:cpp|h|cc|inc)):(\d{1,7}): ?(.{0,1000}?):? *$/.exec(line.slice(0, start).trimEnd())
  if (place === null) return { message, file: null, line: null, function: null }
  return { message, file: place[1] ?? null, line: Number(place[2]), function: place[3] || null }
}

function bsdAssertion(line: string): ErrorText['assertion'] {
  const parts = /Assertion failed: \((.{1,1000})\), function (.{1,300}), file (.{1,300}), line (\d{1,7})/.exec(line)
  if (parts === null) return null
  return { message: parts[1] ?? '', function: parts[2] ?? null, file: parts[3] ?? null, line: Number(parts[4]) }
}

function unreachable(line: string): ErrorText['assertion'] {
  const parts = /^(.{0,1000})UNREACHABLE executed at ([^\s:]{1,300}):(\d{1,7})!/.exec(line)
  if (parts === null) return null
  return {
    message: parts[1]?.trim() || 'UNREACHABLE executed',
    file: parts[2] ?? null,
    line: Number(parts[3]),
    function: null,
  }
}

/** `Pipeline failed while executing [`A` on …, `B` on …]`: the last is the innermost. `IR Dump Before A (a-pass)` is the weaker sign. */
function failingPassOf(lines: readonly string[]): string | null {
  const failed = lines.find((line) => line.includes('Pipeline failed while executing '))
  if (failed !== undefined) {
    const names = [...failed.matchAll(/`([\w:()\s-]{1,200})` on /g)]
    return names.at(-1)?.[1] ?? null
  }
  const dumped = lines.findLast((line) => line.includes('IR Dump Before '))
  return /IR Dump Before ([\w-]{1,200})/.exec(dumped ?? '')?.[1] ?? null
}

function signalOf(lines: readonly string[]): string | null {
  for (const line of lines) {
    const named = /\b(SIG(?:SEGV|ABRT|BUS|ILL|FPE|TRAP|KILL))\b/.exec(line)?.[1]
    if (named !== undefined) return named
    if (/Segmentation fault/.test(line)) return 'SIGSEGV'
    if (/^Aborted\b/.test(line)) return 'SIGABRT'
  }
  return null
}
