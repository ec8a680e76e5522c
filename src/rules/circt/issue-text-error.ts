import { parseErrorText } from './error-text.js'
import type { IssueFacts } from './issue-text-facts.js'
import { type Cut, codeBlock, cutLines, folded, printable } from './issue-text-safety.js'
import { scrub } from './issue-text-scrub.js'
import { isInternalFrame, meaningfulFramesOf } from './signature-frames.js'

/** What the tool printed, from the line that matters; the stack has its own section, and LLVM's words around it are left out. */
export function errorSection(facts: IssueFacts): string {
  const { errorLog, identities } = facts
  const lines = printable(errorLog)
    .split('\n')
    .filter((line) => !isStackDump(line))
  const first = lines.findIndex((line) => TELLING.test(line))
  // A flood of warnings must not push the error out of sight.
  const skipped = first > MAX_BEFORE ? first : 0
  const said = scrub(lines.slice(skipped).join('\n').trim(), 'output', identities)
  if (said === '') return `## Error Output\n\n${silentEnd(facts)}`
  const cut = cutLines(said, { lines: 30, characters: 6000 })
  const before = skipped === 0 ? [] : [`The ${skipped} lines before it are left out.`]
  const after = first < 0 ? endWithoutError(facts) : []
  return ['## Error Output', '', codeBlock(cut.text, 'text'), ...notesOf([...before, cut, ...after])].join('\n')
}

function endWithoutError({ order }: IssueFacts): string[] {
  const { signal } = order.minimize.signature
  return signal === null ? [] : [`No error follows before ${signal} ends the tool.`]
}

const MAX_BEFORE = 12
const TELLING = /\berror: |\bAssertion [`f]|LLVM ERROR: |UNREACHABLE executed|terminate called|AddressSanitizer/

/** Frames, symbolised or not, and what LLVM prints around them. */
function isStackDump(line: string): boolean {
  return (
    /^\s*#\s?\d+\s/.test(line) ||
    /^\d{1,4}\s{1,8}\S{1,1000}\s{1,8}0x[0-9a-f]{1,16} /.test(line) ||
    /^(?:PLEASE submit a bug report|Stack dump(?: without symbol names.*)?:|\d+\.\s{0,8}Program arguments: )/.test(line)
  )
}

function silentEnd({ order }: IssueFacts): string {
  const { kind, signal, message } = order.minimize.signature
  if (kind === 'runaway') return `The tool is stopped for ${message ?? 'passing a limit'}.`
  if (kind === 'memory') return 'The tool prints nothing before it reaches the limit on its memory.'
  if (kind === 'hang') return 'The tool prints nothing before it reaches the limit on its time.'
  return signal === null ? 'The tool prints nothing.' : `The tool prints no error of its own before ${signal} ends it.`
}

/** The compiler's own functions, innermost first, as the tool printed them for the test case, else as the debugger saw them. */
export function stackSection(facts: IssueFacts): string | null {
  const frames = framesOf(facts)
  if (frames.length === 0) return null
  const lines = frames.slice(0, MAX_FRAMES).map((frame, at) => `#${at} ${scrub(frame, 'output', facts.identities)}`)
  const cut = cutLines(lines.map((line) => line.slice(0, 200)).join('\n'), { lines: MAX_FRAMES, characters: 4000 })
  const more = frames.length > MAX_FRAMES ? [`The outer ${frames.length - MAX_FRAMES} are left out.`] : []
  const rest = 'Signal handlers, pass managers and rewrite drivers are left out.'
  return folded('Stack Trace', [codeBlock(cut.text, 'text'), ...notesOf([rest, ...more, cut])].join('\n'))
}

const MAX_FRAMES = 12

/** The analysis saw the original source: where the reduced one dies elsewhere, its own frames are the truth. */
function framesOf({ analysis, errorLog, order }: IssueFacts): string[] {
  const printed = meaningfulFramesOf(parseErrorText(errorLog).stack.map((frame) => frame.function))
  if (printed.length > 0) return printed
  const known = analysis?.frames ?? []
  const { frames } = order.minimize.signature
  const isElsewhere = frames[0] !== undefined && !isInternalFrame(frames[0]) && !known.includes(frames[0])
  return isElsewhere ? frames : known
}

export function notesOf(notes: readonly (string | Cut)[]): string[] {
  const said = notes.flatMap((note) => (typeof note === 'string' ? note : (note.note ?? [])))
  return said.length === 0 ? [] : ['', said.join(' ')]
}
