import { type Cursor, openCursor } from './diff-cursor.js'
import { type FileHeader, readFileHeader } from './diff-header.js'
import { type Hunk, readHunk } from './diff-hunk.js'

export type { Hunk } from './diff-hunk.js'

/** One file of a unified diff. Paths are relative, with forward slashes. */
export interface DiffFile {
  path: string
  /** Where a renamed or copied file was; null otherwise. */
  oldPath: string | null
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
  isBinary: boolean
  isSubmodule: boolean
  /** In the order of the file. */
  hunks: Hunk[]
}

/** What could not be read of a diff: where, and what was expected. */
export interface DiffProblem {
  /** Of the diff, from 1. */
  line: number
  message: string
}

export interface ParsedDiff {
  files: DiffFile[]
  problems: DiffProblem[]
}

/**
 * Reads a unified diff, as `git diff` or a patch file has it: renames, new and deleted files, binary files, changed modes, submodules,
 * `\ No newline at end of file`, CRLF, quoted names, mail around it. Takes time in proportion to its length; never throws.
 * A file whose name or hunks make no sense is left out and named in `problems`.
 */
export function parseDiff(text: string): ParsedDiff {
  const cursor = openCursor(text)
  const files = new Map<string, DiffFile>()
  const problems: DiffProblem[] = []
  while (!cursor.isAtEnd()) {
    const start = cursor.line()
    const header = readFileHeader(cursor)
    if (header === null) cursor.skip()
    else {
      const read = fileOf(cursor, header)
      const problem = 'file' in read ? keepOnce(files, read.file) : read.problem
      if (problem !== null) problems.push({ line: start, message: problem })
    }
  }
  return { files: [...files.values()], problems }
}

/** A series of patches has a file several times, each against another version. */
function keepOnce(files: Map<string, DiffFile>, file: DiffFile): string | null {
  if (files.has(file.path)) return `expected one diff of two versions, got ${JSON.stringify(file.path)} again`
  files.set(file.path, file)
  return null
}

type Read = { file: DiffFile } | { problem: string }

function fileOf(cursor: Cursor, header: FileHeader): Read {
  const { hunks, problem } = readHunks(cursor)
  const { oldName, newName, isBinary, isSubmodule } = header
  const path = newName ?? oldName
  const trouble = header.problem ?? problem ?? nameProblem(oldName) ?? nameProblem(newName)
  if (trouble !== null || path === null) return { problem: trouble ?? 'expected the name of a file' }
  const status = statusOf(header)
  const isMoved = status === 'renamed' || status === 'copied'
  return { file: { path, oldPath: isMoved ? oldName : null, status, isBinary, isSubmodule, hunks } }
}

function readHunks(cursor: Cursor): { hunks: Hunk[]; problem: string | null } {
  const hunks: Hunk[] = []
  let problem: string | null = null
  for (let hunk = readHunk(cursor); hunk !== null; hunk = readHunk(cursor)) {
    const last = hunks.at(-1)
    if ('problem' in hunk) problem ??= hunk.problem
    else if (last !== undefined && hunk.newStart < last.newStart + last.newLines) problem ??= OUT_OF_ORDER
    else hunks.push(hunk)
  }
  return { hunks, problem }
}

const OUT_OF_ORDER = 'expected the hunks of a file in the order of its lines'

function statusOf({ oldName, newName, isCopy, isRename }: FileHeader): DiffFile['status'] {
  if (oldName === null) return 'added'
  if (newName === null) return 'deleted'
  if (isCopy) return 'copied'
  return isRename ? 'renamed' : 'modified'
}

function nameProblem(name: string | null): string | null {
  if (name === null || isInside(name)) return null
  return `expected a relative path without "..", got ${JSON.stringify(name.slice(0, 120))}`
}

function isInside(path: string): boolean {
  const isPlain = !path.startsWith('/') && !path.includes('\\') && !/\p{Cc}/u.test(path) && !/^[A-Za-z]:/.test(path)
  return isPlain && path !== '' && !path.split('/').includes('..')
}
