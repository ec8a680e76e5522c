import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CaseCommand, CirctTool, SourceLanguage } from '../../contracts/circt.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import type { Acceptance } from '../../rules/circt/classification.js'
import { isSyntaxMessage } from '../../rules/circt/error-text-diagnostics.js'
import { parseErrorText } from '../../rules/circt/error-text.js'
import { findProgram } from '../find-program.js'
import { CASE_LIMITS } from './case-limits.js'
import type { CirctBox, Toolchain } from './circt-box.js'

export interface Opinion {
  acceptance: Acceptance
  /** Accepted, but not without a warning. */
  hasWarning: boolean
  /** What was asked, for a reader: 'circt-verilog --lint-only'. */
  asked: string
}

interface Question {
  box: Pick<CirctBox, 'run' | 'scratch' | 'signal'>
  language: SourceLanguage
  text: string | Uint8Array
}

/** What the toolchain's own front end says to the source before any lowering. `depth`: its parser alone, or all it checks. */
export async function askFrontEnd(
  question: Question & { toolchain: Toolchain; command: CaseCommand },
  depth: 'syntax' | 'semantics',
): Promise<Opinion> {
  const check = FRONT_ENDS[question.language].find(({ tool }) => question.toolchain.has(tool))
  if (check === undefined)
    return { acceptance: 'unavailable', hasWarning: false, asked: FRONT_ENDS[question.language][0].tool }
  const flags = depth === 'syntax' ? check.syntax : check.semantics
  const own = question.command.tool === check.tool ? settingsOf(question.command.args) : []
  const outcome = await runOn(question, question.toolchain.pathOf(check.tool), (name) => [...own, ...flags, name])
  const opinion = opinionOf(outcome, [check.tool, ...flags].join(' '))
  // firtool's parser checks names, types and widths as it goes: what it complains about may be well written.
  const isReadable = question.language === 'fir' && depth === 'syntax' && !saysSyntax(outcome.stderr)
  return isReadable && opinion.acceptance === 'rejects' ? { ...opinion, acceptance: 'accepts' } : opinion
}

function saysSyntax(stderr: string): boolean {
  return parseErrorText(stderr).diagnostics.some(
    ({ severity, message }) => severity === 'error' && isSyntaxMessage(message),
  )
}

interface FrontEnd {
  tool: CirctTool
  syntax: readonly string[]
  semantics: readonly string[]
}

/** The first tool that the toolchain has is asked. */
const FRONT_ENDS: Record<SourceLanguage, readonly [FrontEnd, ...FrontEnd[]]> = {
  sv: [{ tool: 'circt-verilog', syntax: ['--parse-only'], semantics: ['--lint-only'] }],
  fir: [{ tool: 'firtool', syntax: ['--parse-only'], semantics: ['--parse-only'] }],
  mlir: [
    {
      tool: 'circt-opt',
      syntax: ['--mlir-very-unsafe-disable-verifier-on-parsing', '--verify-each=false'],
      semantics: [],
    },
    { tool: 'firtool', syntax: ['--parse-only'], semantics: ['--parse-only'] },
  ],
}

/** Arguments that say how to read the source (macros, include folders, top module), without those that say what to do with it. */
function settingsOf(args: readonly string[]): string[] {
  return args.filter(
    (arg) =>
      /^(?:-[DUIG]|--?(?:top|timescale|std|format|allow-unregistered-dialect|split-input-file)\b)/.test(arg) &&
      !arg.includes('{input}'),
  )
}

/** Programs on PATH that are not CIRCT's; only SystemVerilog has any. */
export async function askOthers(question: Question): Promise<Record<string, Opinion>> {
  const answers = await Promise.all(OTHERS.map(async (other) => [other.name, await askOther(question, other)] as const))
  return Object.fromEntries(answers)
}

const OTHERS = [
  { name: 'verilator', program: 'verilator', flags: ['--lint-only', '-Wno-fatal', '--timing'] },
  { name: 'icarus', program: 'iverilog', flags: ['-g2012', '-t', 'null'] },
  { name: 'slang', program: 'slang', flags: ['--lint-only'] },
] as const

async function askOther(question: Question, { program, flags }: (typeof OTHERS)[number]): Promise<Opinion> {
  const path = question.language === 'sv' ? findProgram(program, process.env) : null
  if (path === null) return { acceptance: 'unavailable', hasWarning: false, asked: program }
  return opinionOf(await runOn(question, path, (name) => [...flags, name]), [program, ...flags].join(' '))
}

async function runOn(
  { box, language, text }: Question,
  program: string,
  argsFor: (name: string) => string[],
): Promise<ProcessOutcome> {
  const cwd = await mkdtemp(join(box.scratch, 'check-'))
  const name = `source.${language}`
  try {
    await writeFile(join(cwd, name), text)
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }
    const outcome = await box.run({
      argv: [program, ...argsFor(name)],
      cwd,
      readable: [program],
      env,
      isOffline: true,
      limits: CASE_LIMITS,
      signal: box.signal,
    })
    box.signal.throwIfAborted()
    return outcome
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}

function opinionOf(outcome: ProcessOutcome, asked: string): Opinion {
  const hasWarning = /\bwarning:|%Warning/i.test(outcome.stderr.slice(0, 100_000))
  if (outcome.stderr.includes('Unknown command line argument')) return { acceptance: 'unavailable', hasWarning, asked }
  if (outcome.stopped !== null || outcome.signal !== null) return { acceptance: 'fails', hasWarning, asked }
  return { acceptance: outcome.exitCode === 0 ? 'accepts' : 'rejects', hasWarning, asked }
}
