import { mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { Failure } from '../../contracts/failures.js'
import { parseJson } from '../../contracts/parse.js'
import type { ProcessOutcome } from '../../contracts/process.js'
import { findProgram } from '../find-program.js'
import { readBounded } from '../folder/read-bounded.js'
import type { LinterBox } from './linter-box.js'
import type { AnalysedText, RawFinding } from './raw-finding.js'
import type { TextOutcome } from './run-child.js'

const RuffFindings = z.array(
  z.object({
    code: z.string().nullable(),
    message: z.string(),
    filename: z.string(),
    location: z.object({ row: z.int() }),
    end_location: z.object({ row: z.int() }),
  }),
)

/** ruff with rules of our own choice: no configuration of the project, no comments that switch rules off, no cache. */
export async function runRuff(box: LinterBox, texts: readonly AnalysedText[]): Promise<TextOutcome[]> {
  const words = [
    'check',
    '--isolated',
    '--no-cache',
    '--ignore-noqa',
    '--exit-zero',
    '--output-format',
    'json',
    '--output-file',
    RESULTS,
    '--select',
    RUFF_RULES,
    HERE,
  ]
  return await runOver(box, texts, {
    program: 'ruff',
    words,
    read: (json) =>
      parseJson(RuffFindings, json, 'ruff').map(({ code, message, filename, location, end_location }) => ({
        path: filename,
        rule: `ruff/${code ?? 'syntax'}`,
        line: location.row,
        endLine: end_location.row,
        message,
      })),
  })
}

/** Security, likely faults, and time. */
const RUFF_RULES = 'S,B,F5,F6,F7,F82,PLE,PERF,ASYNC'

const BanditFindings = z.object({
  results: z.array(
    z.object({
      filename: z.string(),
      test_id: z.string(),
      issue_text: z.string(),
      issue_severity: z.enum(['HIGH', 'MEDIUM', 'LOW', 'UNDEFINED']),
      line_number: z.int(),
      line_range: z.array(z.int()),
    }),
  ),
})

/** bandit, its comments that switch checks off ignored. */
export async function runBandit(box: LinterBox, texts: readonly AnalysedText[]): Promise<TextOutcome[]> {
  return await runOver(box, texts, {
    program: 'bandit',
    words: ['--quiet', '--recursive', '--exit-zero', '--ignore-nosec', '--format', 'json', '--output', RESULTS, HERE],
    read: (json) =>
      parseJson(BanditFindings, json, 'bandit').results.map((found) => ({
        path: found.filename,
        rule: `bandit/${found.test_id}`,
        line: found.line_number,
        endLine: found.line_range.at(-1) ?? found.line_number,
        message: found.issue_text,
        severity: BANDIT_SEVERITIES[found.issue_severity],
      })),
  })
}

const BANDIT_SEVERITIES = { HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low', UNDEFINED: 'Low' } as const

interface Program {
  program: string
  words: readonly string[]
  /** Findings with the path as the program names it. Throws `Failure` when it said something else. */
  read: (json: string) => RawFinding[]
}

/** Stand for the file of results and the folder of copies. */
const HERE = '.'
const RESULTS = 'results.json'
const MOST_RESULTS_BYTES = 64 * 1024 ** 2

/** Copies the texts under names of ours, so that no name of theirs is a configuration, and runs the program over the copies. */
async function runOver(box: LinterBox, texts: readonly AnalysedText[], order: Program): Promise<TextOutcome[]> {
  const folder = await mkdtemp(join(box.scratch, `${order.program}-`))
  const outcomes: TextOutcome[] = texts.map(() => ({ findings: [] }))
  for (const [index, { path, text }] of texts.entries()) {
    const name = join(folder, `f${index}`, path.endsWith('.pyi') ? 'module.pyi' : 'module.py')
    await mkdir(dirname(name))
    await writeFile(name, text)
  }
  try {
    for (const found of await findingsOf(box, folder, order)) place(found, texts, outcomes)
    return outcomes
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return texts.map(() => ({ failure: error.message }))
  }
}

async function findingsOf(box: LinterBox, folder: string, { program, words, read }: Program): Promise<RawFinding[]> {
  const path = findProgram(program, box.env)
  if (path === null) throw new Failure('Tool.Missing', `${program} is not on PATH`)
  const outcome = await box.run({
    argv: [path, ...words.map((word) => (word === RESULTS ? join(folder, RESULTS) : word === HERE ? folder : word))],
    cwd: box.scratch,
    readable: await installationOf(path),
    env: { HOME: folder, LANG: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
    limits: {
      timeMs: 120_000,
      memoryBytes: 2 * 1024 ** 3,
      outputBytes: 1024 ** 2,
      processes: 200,
      fileBytes: MOST_RESULTS_BYTES,
    },
    signal: box.signal,
  })
  box.signal.throwIfAborted()
  if (outcome.exitCode !== 0 || outcome.stopped !== null) throw new Failure('Tool.Failed', endingOf(program, outcome))
  return read((await readBounded(join(folder, RESULTS), MOST_RESULTS_BYTES)).toString('utf8'))
}

/** Where the program lies, and the interpreter that its first line names. */
async function installationOf(path: string): Promise<string[]> {
  const interpreter = /^#!\s*(\/\S+)/.exec((await readFile(path)).subarray(0, 400).toString('utf8'))?.[1]
  const programs = [path, ...(interpreter === undefined ? [] : [interpreter])]
  const real = await Promise.all(programs.map((each) => realpath(each)))
  return [...new Set([...programs, ...real].map((each) => dirname(dirname(each))))].filter((folder) => folder !== '/')
}

function endingOf(program: string, { stopped, signal, exitCode }: ProcessOutcome): string {
  return `${program} ended with ${stopped ?? signal ?? `exit code ${exitCode}`}`
}

function place(found: RawFinding, texts: readonly AnalysedText[], outcomes: TextOutcome[]): void {
  const index = Number(/(?:^|\/)f(\d+)\/module\.pyi?$/.exec(found.path)?.[1] ?? -1)
  const [text, outcome] = [texts[index], outcomes[index]]
  if (text !== undefined && outcome !== undefined && 'findings' in outcome)
    outcome.findings.push({ ...found, path: text.path })
}
