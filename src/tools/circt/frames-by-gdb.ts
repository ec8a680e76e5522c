import type { ProcessLimits } from '../../contracts/process.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { CASE_LIMITS } from './case-limits.js'
import type { CirctBox } from './circt-box.js'

/**
 * The stack at the signal that ends `argv`, innermost first: demangled functions, noise included; empty when gdb saw no signal or had no symbols.
 * gdb runs in the sandbox, in batch mode and without any start-up file; it reads nothing but the program and the folder.
 */
export async function framesByGdb(
  box: Pick<CirctBox, 'run' | 'gdb' | 'signal'>,
  argv: readonly [string, ...string[]],
  folder: string,
): Promise<string[]> {
  if (box.gdb === null) return []
  const script = [
    ...SETTINGS.flatMap((setting) => ['-iex', setting]),
    ...COMMANDS.flatMap((command) => ['-ex', command]),
  ]
  const outcome = await box.run({
    argv: [box.gdb, '-q', '-nx', '-nh', '-batch', ...script, '--args', ...argv],
    cwd: folder,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    readable: [argv[0]],
    limits: GDB_LIMITS,
    mayTrace: true,
    signal: box.signal,
  })
  return parseErrorText(backtraceOf(outcome.stdout)).stack.map((frame) => frame.function)
}

const SETTINGS = [
  'set auto-load off',
  'set debuginfod enabled off',
  'set disable-randomization off',
  'set print frame-arguments none',
  'set width 0',
  'set startup-with-shell off',
]
const COMMANDS = ['run', 'echo \\n--- stack ---\\n', 'backtrace 60']

/** Reading the symbols of a 100 MB program takes gdb 1 to 2 seconds and 500 MB. */
const GDB_LIMITS: ProcessLimits = {
  ...CASE_LIMITS,
  timeMs: 45_000,
  memoryBytes: 3 * 1024 ** 3,
  outputBytes: 16 * 1024 ** 2,
}

function backtraceOf(text: string): string {
  const mark = text.lastIndexOf('--- stack ---')
  return mark < 0 ? '' : text.slice(mark)
}
