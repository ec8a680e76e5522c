import { mkdtemp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProcessOutcome } from '../../contracts/process.js'
import { codeOf } from '../process/error-code.js'
import type { LinterBox } from './linter-box.js'
import type { AnalysedText, RawFinding } from './raw-finding.js'

/** What became of one text. */
export type TextOutcome = { findings: RawFinding[] } | { failure: string }

/** Bytes of text in one process; a process costs some tenths of a second to start. */
const BATCH_BYTES = 4_000_000
const BATCH_TEXTS = 400
/** Processes that may die on texts in one call; the texts after that are left. */
const MOST_DEATHS = 20

/**
 * Runs one of the analysers of `analyse-child` over texts, in processes of its own, bounded in time and memory. A text that stops a process is named,
 * and the others go on in a new one. The outcomes are in the order of the texts.
 */
export async function runChild(
  box: LinterBox,
  analyser: string,
  texts: readonly AnalysedText[],
): Promise<TextOutcome[]> {
  const outcomes: TextOutcome[] = []
  let deaths = 0
  while (outcomes.length < texts.length) {
    const batch = batchOf(texts.slice(outcomes.length))
    const told = await runBatch(box, analyser, batch)
    outcomes.push(...told.outcomes)
    if (told.death === null) continue
    deaths += 1
    outcomes.push({ failure: told.death })
    const rest = texts.length - outcomes.length
    if (deaths === MOST_DEATHS)
      outcomes.push(...Array.from({ length: rest }, () => ({ failure: `left after ${deaths} failures` })))
  }
  return outcomes
}

function batchOf(texts: readonly AnalysedText[]): AnalysedText[] {
  let bytes = 0
  const end = texts.findIndex(({ text }, index) => {
    bytes += text.length
    return index > 0 && (bytes > BATCH_BYTES || index === BATCH_TEXTS)
  })
  return end === -1 ? [...texts] : texts.slice(0, end)
}

interface BatchEnd {
  /** Of the texts that were finished, in order. */
  outcomes: TextOutcome[]
  /** Why the process stopped at the text after them; null when all were finished. */
  death: string | null
}

async function runBatch(box: LinterBox, analyser: string, batch: readonly AnalysedText[]): Promise<BatchEnd> {
  const folder = await mkdtemp(join(box.scratch, 'analyser-'))
  const results = join(folder, 'results')
  const bytes = batch.reduce((sum, { text }) => sum + text.length, 0)
  const outcome = await box.run({
    argv: [process.execPath, `--max-old-space-size=${HEAP_MB}`, box.childScript, analyser, results],
    cwd: box.scratch,
    readable: [dirname(dirname(dirname(box.childScript))), ...packageFolders()],
    stdin: JSON.stringify(batch),
    env: { NODE_ENV: 'production' },
    limits: {
      timeMs: 20_000 + bytes / 50,
      memoryBytes: 2 * HEAP_MB * 1024 ** 2,
      outputBytes: 1024 ** 2,
      processes: 64,
      fileBytes: 256 * 1024 ** 2,
    },
    signal: box.signal,
  })
  box.signal.throwIfAborted()
  const outcomes = await readResults(results)
  return { outcomes, death: outcomes.length === batch.length ? null : deathOf(outcome) }
}

const HEAP_MB = 1_024

async function readResults(path: string): Promise<TextOutcome[]> {
  const lines = await readFile(path, 'utf8').catch(nothingWhenGone)
  return lines
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as TextOutcome | { begins: true })
    .filter((line): line is TextOutcome => !('begins' in line))
}

function nothingWhenGone(error: unknown): string {
  if (codeOf(error) === 'ENOENT') return ''
  throw error
}

function deathOf({ stopped, signal, exitCode, stderr }: ProcessOutcome): string {
  if (stopped === 'time') return 'took too long'
  if (stopped === 'memory' || /heap out of memory|heap limit/.test(stderr)) return 'took too much memory'
  return `the analyser ended with ${stopped ?? signal ?? `exit code ${exitCode}`}`
}

/** Where the analysers are installed: beside this package, or above it. */
function packageFolders(): string[] {
  const require = createRequire(import.meta.url)
  const folders = PACKAGES.map((name) => require.resolve(name)).map((path) =>
    path.slice(0, path.indexOf('/node_modules/') + NODE_MODULES.length),
  )
  return [...new Set(folders)]
}

const NODE_MODULES = '/node_modules'
const PACKAGES = ['eslint', '@ast-grep/napi', '@secretlint/core']

/** The compiled program beside this file. */
export const CHILD_SCRIPT = fileURLToPath(new URL('./analyse-child.js', import.meta.url))
