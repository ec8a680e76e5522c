/** One frame of a symbolised stack. */
export interface StackFrame {
  /** Demangled, with arguments and template arguments as printed. */
  function: string
  /** File of the compiler's own source, as printed; null when the build has no such information. */
  file: string | null
  /** Null when unknown: builds without debug information print 0. */
  line: number | null
}

/**
 * The first symbolised stack among the lines, innermost first: LLVM's ` #4 0x0000 f(int) file.cpp:0:0`, gdb's `#1  0x0000 in f ()`, and the
 * sanitizers' `    #0 0x0000 in f file.cpp:1`. Frames without a symbol are left out.
 * A frame number that does not go up ends the stack: what follows is another thread's.
 */
export function stackOf(lines: readonly string[]): StackFrame[] {
  const frames: StackFrame[] = []
  let last = -1
  for (const line of lines) {
    const start = FRAME.exec(line)
    if (start === null) continue
    const number = Number(start[1])
    if (number <= last || frames.length === MAX_FRAMES) break
    last = number
    const rest = line.slice(start[0].length)
    const symbol = symbolOf(rest)
    if (symbol !== null) frames.push({ function: symbol, ...placeOf(rest) })
  }
  return frames
}

function placeOf(rest: string): Pick<StackFrame, 'file' | 'line'> {
  const place = / (?:at )?([^\s()<>:]{1,1000}\.(?:cpp|cc|c|h|inc)):(\d{1,9})(?::\d{1,9})?$/.exec(rest)
  if (place === null) return { file: null, line: null }
  return { file: place[1] ?? null, line: Number(place[2]) || null }
}

/**
 * Functions of LLVM's stack dump without symbols, ` 5  firtool   0x0000 f(int) + 16`: it names exported functions only, and so may lack the innermost.
 */
export function exportedStackOf(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line.startsWith('Stack dump without symbol names'))
  if (start < 0) return []
  const frames = lines.slice(start + 1, start + 1 + MAX_FRAMES)
  return frames.flatMap((line) => EXPORTED_FRAME.exec(line)?.[1] ?? [])
}

const EXPORTED_FRAME = /^\d{1,4}\s{1,8}\S{1,1000}\s{1,8}0x[0-9a-f]{1,16} (.{1,4000}) \+ \d{1,9}$/

const MAX_FRAMES = 200
const FRAME = /^\s{0,8}#\s?(\d{1,4})\s{1,3}(?:0x[0-9a-fA-F]{1,16}\s(?:in\s)?)?/

/** `f(int) (tool+0x1f)`, `f(int) File.cpp:0:0` and `f (this=0x0) at File.cpp:3` are all `f(int)`; `(libc.so.6+0x3c050)` and `??` are nothing. */
function symbolOf(rest: string): string | null {
  const text = rest
    .replace(/ \([^()\s]{0,1000}\+0x[0-9a-fA-F]{1,16}\)$/, '')
    .replace(/ (?:at|from) [^\s()]{1,1000}$/, '')
    .replace(/ [^\s()<>]{1,1000}:\d{1,9}(?::\d{1,9})?$/, '')
    .trim()
  if (text === '' || text.startsWith('??') || text.startsWith('0x')) return null
  if (text.startsWith('(') && !text.startsWith('(anonymous namespace)')) return null
  return text
}
