import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AnalysisFile } from '../../contracts/circt-files.js'

export interface SourceQuestion {
  /** A CIRCT checkout. */
  checkout: string
  failingPass: string | null
  /** Meaningful frames, innermost first. */
  frames: readonly string[]
  signal: AbortSignal
}

type Suggestion = AnalysisFile['suggested_sources'][number]

/**
 * Files of a CIRCT checkout that define the failing functions (`Class::method(`) or the failing pass (`GEN_PASS_DEF_*`), best first, at most five,
 * as paths inside the checkout. Own frames weigh more the nearer they are to the failure. Reads at most `MAX_FILES` files below lib and tools for
 * at most `MAX_SECONDS`, and follows no links. Empty when there is nothing to look for, or no such folder.
 */
export async function findSources(question: SourceQuestion): Promise<Suggestion[]> {
  const marks = marksOf(question)
  if (marks.length === 0) return []
  const until = Date.now() + MAX_SECONDS * 1000
  const hits: { path: string; score: number; reasons: string[] }[] = []
  for await (const path of sourceFiles(question.checkout)) {
    question.signal.throwIfAborted()
    if (Date.now() > until) break
    const text = await readSmall(join(question.checkout, path))
    const found = marks.filter((mark) => text.includes(mark.text))
    const score = found.reduce((sum, mark) => sum + mark.weight, 0)
    if (score > 0) hits.push({ path, score, reasons: found.map((mark) => mark.reason) })
  }
  hits.sort((a, b) => b.score - a.score || a.path.localeCompare(b.path))
  return hits.slice(0, 5).map(({ path, reasons }) => ({ path, reason: reasons.slice(0, 3).join('; ') }))
}

const MAX_FILES = 20_000
const MAX_SECONDS = 20
const MAX_BYTES = 2 * 1024 ** 2

interface Mark {
  text: string
  weight: number
  reason: string
}

function marksOf({ failingPass, frames }: SourceQuestion): Mark[] {
  const functions = frames.slice(0, 5).flatMap((frame, depth) => functionMark(frame, depth) ?? [])
  if (failingPass === null) return functions
  const macro = `GEN_PASS_DEF_${failingPass.toUpperCase()}`
  return [...functions, { text: `${macro}\n`, weight: 4, reason: `defines the pass ${failingPass}` }]
}

/** MLIR's own functions are not in the checkout; a common method alone (`run(`) is no mark without its class. */
function functionMark(frame: string, depth: number): Mark | null {
  if (frame.startsWith('mlir::') || frame.startsWith('llvm::')) return null
  const parts = frame.split('::').filter((part) => part !== 'circt')
  const name = parts.slice(-2).join('::')
  if (parts.length === 1 && name.length < 6) return null
  return { text: `${name}(`, weight: 5 - depth, reason: `defines or calls ${name}` }
}

async function* sourceFiles(root: string): AsyncGenerator<string> {
  const folders = ['lib', 'tools']
  let count = 0
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) folders.push(path)
      if (!entry.isFile() || !entry.name.endsWith('.cpp')) continue
      count += 1
      if (count > MAX_FILES) return
      yield path
    }
  }
}

async function entriesOf(folder: string) {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
}

async function readSmall(path: string): Promise<string> {
  const { size } = await stat(path)
  return size > MAX_BYTES ? '' : readFile(path, 'utf8')
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}
