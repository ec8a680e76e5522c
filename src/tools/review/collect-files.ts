import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import type { ReviewFile } from '../../contracts/review-part.js'
import type { LeftOut } from '../../contracts/review-report.js'
import { matchesGlob, SUPPRESSIONS_FILE } from '../../rules/review/suppressions.js'
import type { Collected } from './collect-change.js'
import { lookInside } from './look-inside.js'
import { parseSuppressions } from './parse-suppressions.js'
import { readTextInside } from './read-text-inside.js'

/** Folders that hold what others wrote, or what programs made. */
const PASSED_OVER = new Set(['.git', 'node_modules', '.venv', '__pycache__'])
const MOST_FILES = 10_000

/** Reads files as they stand, by names or globs relative to `folder`. Throws `Failure('Contract.Violated')` when a glob finds none. */
export async function collectFiles(globs: readonly string[], folder: string): Promise<Collected> {
  const all = await listFiles(folder)
  const chosen = new Set<string>()
  for (const glob of globs) {
    const plain = glob.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '')
    const found = all.filter((path) => matchesGlob(plain, path) || path.startsWith(`${plain}/`) || plain === '.')
    if (found.length === 0) {
      throw new Failure('Contract.Violated', `--files: expected files, found none for ${JSON.stringify(glob)}`)
    }
    for (const path of found) chosen.add(path)
  }
  const files: ReviewFile[] = []
  const left_out: LeftOut[] = []
  for (const path of chosen) {
    const looked = await lookInside(folder, path)
    if ('text' in looked) files.push(givenFile(path, looked.text))
    else left_out.push({ path, reason: looked.reason })
  }
  const suppressions = parseSuppressions(await readTextInside(folder, SUPPRESSIONS_FILE))
  return {
    sources: { review_type: 'file', files, left_out, suppressions },
    content: { target_files: [...chosen] },
  }
}

/** One text without a place. */
export function collectSnippet(name: string, text: string): Collected {
  const sources = { review_type: 'snippet' as const, files: [givenFile(name, text)], left_out: [], suppressions: [] }
  return { sources, content: { snippet_code: text } }
}

function givenFile(path: string, text: string): ReviewFile {
  return { path, old_path: null, status: 'given', hunks: [], text, before: null }
}

/** Relative paths, in order; links are not followed. */
async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const pending = ['']
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) pending.push(path)
      if (entry.isFile()) found.push(path)
    }
    if (found.length > MOST_FILES) {
      throw new Failure('Contract.Violated', `--files: expected at most ${MOST_FILES} files below the folder, got more`)
    }
  }
  return found.sort((a, b) => (a < b ? -1 : Number(a > b)))
}
