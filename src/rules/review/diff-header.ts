import type { Cursor } from './diff-cursor.js'
import { plainName, sideName, twoNames } from './diff-names.js'

/** What stands before the hunks of a file. */
export interface FileHeader {
  /** Null for /dev/null. */
  oldName: string | null
  newName: string | null
  isNew: boolean
  isDeleted: boolean
  /** Set by git's own lines; another tool's two names are two names of one file. */
  isRename: boolean
  isCopy: boolean
  isBinary: boolean
  isSubmodule: boolean
  problem: string | null
}

/** The header of the file the cursor is at, or null when it is at none; the cursor is then where it was. */
export function readFileHeader(cursor: Cursor): FileHeader | null {
  const line = cursor.peekHeader() ?? ''
  if (line.startsWith(GIT)) return readGitHeader(cursor, line.slice(GIT.length))
  if (/^diff --(?:cc|combined) /.test(line)) return refuseCombined(cursor)
  return line.startsWith('--- ') ? readPlainHeader(cursor, line.slice(4)) : null
}

const GIT = 'diff --git '

function emptyHeader(): FileHeader {
  return {
    oldName: null,
    newName: null,
    isNew: false,
    isDeleted: false,
    isRename: false,
    isCopy: false,
    isBinary: false,
    isSubmodule: false,
    problem: null,
  }
}

/** A merge has no one version before it. */
function refuseCombined(cursor: Cursor): FileHeader {
  cursor.skip()
  return { ...emptyHeader(), problem: 'expected the diff of two versions, got the combined diff of a merge' }
}

function readGitHeader(cursor: Cursor, names: string): FileHeader {
  const { oldName, newName, hasPrefixes } = twoNames(names)
  const header = { ...emptyHeader(), oldName, newName }
  cursor.skip()
  for (let line = cursor.peekHeader(); line !== null; line = cursor.peekHeader()) {
    const known = EXTENDED.find(([start]) => line?.startsWith(start))
    if (known === undefined) break
    const [start, take] = known
    take(header, line.slice(start.length), hasPrefixes)
    cursor.skip()
    if (start === BINARY_PATCH) skipBinary(cursor)
  }
  if (header.isNew) header.oldName = null
  if (header.isDeleted) header.newName = null
  return header
}

type Take = (header: FileHeader, rest: string, hasPrefixes: boolean) => void

const BINARY_PATCH = 'GIT binary patch'
const SUBMODULE_MODE = '160000'

/** git's extended header lines and the two that follow them. */
const EXTENDED: readonly (readonly [start: string, take: Take])[] = [
  ['old mode ', takeMode],
  ['new mode ', takeMode],
  ['new file mode ', takeNew],
  ['deleted file mode ', takeDeleted],
  ['similarity index ', takeNothing],
  ['dissimilarity index ', takeNothing],
  ['index ', takeMode],
  ['rename from ', takeFrom],
  ['copy from ', takeFrom],
  ['rename to ', (header, name) => takeTo(header, name, 'isRename')],
  ['copy to ', (header, name) => takeTo(header, name, 'isCopy')],
  ['Binary files ', takeBinary],
  [BINARY_PATCH, takeBinary],
  ['--- ', (header, rest, hasPrefixes) => void (header.oldName = sideName(rest, hasPrefixes))],
  ['+++ ', (header, rest, hasPrefixes) => void (header.newName = sideName(rest, hasPrefixes))],
]

function takeNothing(): void {
  // These lines say how like two files are, which is seen anyway.
}

function takeMode(header: FileHeader, rest: string): void {
  header.isSubmodule ||= rest.endsWith(SUBMODULE_MODE)
}

function takeNew(header: FileHeader, mode: string): void {
  header.isNew = true
  takeMode(header, mode)
}

function takeDeleted(header: FileHeader, mode: string): void {
  header.isDeleted = true
  takeMode(header, mode)
}

function takeFrom(header: FileHeader, name: string): void {
  header.oldName = plainName(name)
}

function takeTo(header: FileHeader, name: string, how: 'isRename' | 'isCopy'): void {
  header.newName = plainName(name)
  header[how] = true
}

function takeBinary(header: FileHeader): void {
  header.isBinary = true
}

/** The encoded bytes: blocks that end with an empty line each. */
function skipBinary(cursor: Cursor): void {
  for (let line = cursor.peekHeader(); line !== null; line = cursor.peekHeader()) {
    if (line !== '' && !/^(?:literal|delta) \d+$/.test(line) && !/^[A-Za-z][!-~]+$/.test(line)) return
    cursor.skip()
  }
}

/** `---` and `+++` of another tool, or of text that happens to begin so. */
function readPlainHeader(cursor: Cursor, oldRest: string): FileHeader | null {
  const mark = cursor.mark()
  cursor.skip()
  const line = cursor.peekHeader()
  cursor.skip()
  const isHeader = line?.startsWith('+++ ') === true && cursor.peekHeader()?.startsWith('@@ -') === true
  if (!isHeader) {
    cursor.back(mark)
    return null
  }
  const newRest = line.slice(4)
  const hasPrefixes = twoSides(oldRest, newRest)
  const isFirst = cursor.peekHeader()?.startsWith('@@ -0,0 ') === true
  const isLast = /^@@ -\S+ \+0,0 /.test(cursor.peekHeader() ?? '')
  return {
    ...emptyHeader(),
    oldName: isFirst ? null : sideName(oldRest, hasPrefixes),
    newName: isLast ? null : sideName(newRest, hasPrefixes),
  }
}

/** True when the two names have the prefixes of git: one letter each, and not the same. */
function twoSides(oldRest: string, newRest: string): boolean {
  const [a, b] = [oldRest, newRest].map((rest) => (rest.startsWith('/dev/null') ? null : rest.slice(0, 2)))
  if (a === null || b === null) return /^[ab]\/$/.test(a ?? b ?? '')
  return a !== b && /^[a-z]\/$/.test(a ?? '') && /^[a-z]\/$/.test(b ?? '')
}
