import { findProgram } from '../find-program.js'
import type { LinterBox } from './linter-box.js'
import { runBandit, runRuff } from './python-programs.js'
import type { AnalysedText, RawFinding } from './raw-finding.js'
import { runChild, type TextOutcome } from './run-child.js'

/** One analyser: what it needs, what it covers, how it is run. How its findings are meant stands in `rules/review/finding-kinds.ts`. */
export interface Analyser {
  name: string
  /** A program that must be on PATH; null for what comes with this package. */
  needs: string | null
  covers(path: string): boolean
  /** One outcome per text, in their order. */
  run(box: LinterBox, texts: readonly AnalysedText[]): Promise<TextOutcome[]>
}

const SCRIPT = /\.[cm]?[jt]sx?$/
const PYTHON = /\.pyi?$/

export const ANALYSERS: readonly Analyser[] = [
  {
    name: 'eslint',
    needs: null,
    covers: (path) => SCRIPT.test(path),
    run: (box, texts) => runChild(box, 'eslint', texts),
  },
  {
    name: 'ast-grep',
    needs: null,
    covers: (path) => SCRIPT.test(path) || PYTHON.test(path),
    run: (box, texts) => runChild(box, 'ast-grep', texts),
  },
  { name: 'secretlint', needs: null, covers: () => true, run: (box, texts) => runChild(box, 'secretlint', texts) },
  { name: 'ruff', needs: 'ruff', covers: (path) => PYTHON.test(path), run: runRuff },
  { name: 'bandit', needs: 'bandit', covers: (path) => PYTHON.test(path), run: runBandit },
]

/** What one analyser came to over all texts. */
export interface AnalyserReport {
  name: string
  /** `skipped`: no text for it. `unavailable`: the program is not there. `failed`: it could read none of its texts. */
  status: 'passed' | 'failed' | 'skipped' | 'unavailable'
  note: string
  findings: RawFinding[]
  /** Texts it could not read, and why. */
  failures: { path: string; reason: string }[]
}

/** Characters of a text, and of one of its lines, beyond which it was made by a program and takes analysers too long. */
const MOST_CHARACTERS = 1_000_000
const LONGEST_LINE = 20_000

/** Runs analysers, all by default, over the texts they cover. Throws only the signal's reason. */
export async function analyseTexts(
  box: LinterBox,
  texts: readonly AnalysedText[],
  analysers: readonly Analyser[] = ANALYSERS,
): Promise<AnalyserReport[]> {
  // All are waited for, also when one throws: none is left running in a folder that goes away.
  const asked = await Promise.allSettled(analysers.map((analyser) => analyseWith(box, analyser, texts)))
  return asked.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
}

async function analyseWith(box: LinterBox, analyser: Analyser, all: readonly AnalysedText[]): Promise<AnalyserReport> {
  const { name, needs } = analyser
  const report: AnalyserReport = { name, status: 'skipped', note: 'nothing to look at', findings: [], failures: [] }
  const covered = all.filter(({ path }) => analyser.covers(path))
  if (covered.length === 0) return report
  if (needs !== null && findProgram(needs, box.env) === null) {
    return { ...report, status: 'unavailable', note: `${needs} is not on PATH` }
  }
  const texts = covered.filter(({ text }) => !isTooLarge(text))
  report.failures = covered
    .filter(({ text }) => isTooLarge(text))
    .map(({ path }) => ({ path, reason: 'too large for analysers' }))
  const outcomes = await analyser.run(box, texts)
  for (const [index, outcome] of outcomes.entries()) {
    if ('findings' in outcome) report.findings.push(...outcome.findings)
    else report.failures.push({ path: texts[index]?.path ?? '', reason: outcome.failure })
  }
  const read = covered.length - report.failures.length
  return { ...report, status: read === 0 ? 'failed' : 'passed', note: noteOf(read, report) }
}

function noteOf(read: number, { failures }: AnalyserReport): string {
  const [first] = failures
  const others =
    first === undefined
      ? ''
      : `; ${failures.length} not: ${first.path} (${first.reason})${failures.length > 1 ? ', …' : ''}`
  return `${read} ${read === 1 ? 'file' : 'files'} read${others}`
}

function isTooLarge(text: string): boolean {
  return text.length > MOST_CHARACTERS || longestLine(text) > LONGEST_LINE
}

function longestLine(text: string): number {
  let longest = 0
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    longest = Math.max(longest, end - start)
    start = end + 1
  }
  return longest
}
