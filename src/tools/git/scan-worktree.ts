import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../process/error-code.js'

/** Something that git would take amiss, or would take and should not. It counts unless it is ignored. */
export interface Suspect {
  /** Relative; what is no UTF-8 in it is replaced. */
  path: string
  /** What is wrong, as the end of a sentence about the path. */
  why: string
}

export interface Scan {
  suspects: readonly Suspect[]
  /** Names that differ in case only: lower case → all spellings. */
  clashes: ReadonlyMap<string, readonly string[]>
  /** True when a file says how git should treat files. */
  hasAttributes: boolean
  /** True when there was more than is looked at. */
  isTooLarge: boolean
}

/** Folders of tools and of ours, wherever they lie: never part of a commit. */
export const NEVER_COMMITTED = ['node_modules', '.venv']
export const OURS = '.gauntlet'

/** Looks at the files of an attempt before git does. Follows no link. */
export async function scanWorktree(folder: string): Promise<Scan> {
  const scan: Running = {
    folder,
    suspects: [],
    spellings: new Map(),
    clashes: new Map(),
    hasAttributes: false,
    left: maxEntries,
  }
  const waiting = ['']
  for (let path = waiting.pop(); path !== undefined && scan.left > 0; path = waiting.pop()) {
    for (const below of await look(scan, path)) waiting.push(below)
  }
  const { suspects, clashes, hasAttributes } = scan
  return { suspects, clashes, hasAttributes, isTooLarge: scan.left <= 0 || suspects.length > maxSuspects }
}

const maxEntries = 400_000
const maxSuspects = 200
/** GitHub and others refuse files from 100 MB on. */
const maxFileBytes = 50 * 1024 ** 2

interface Running {
  folder: string
  suspects: Suspect[]
  spellings: Map<string, string>
  clashes: Map<string, string[]>
  hasAttributes: boolean
  left: number
}

/** The folders in a folder, which are still to be looked at. */
async function look(scan: Running, path: string): Promise<string[]> {
  const entries = await list(scan, path)
  scan.left -= entries.length
  const names = entries.map(({ name }) => name)
  if (path !== '' && isRepository(names)) {
    scan.suspects.push({ path, why: 'is a git repository of its own' })
    return []
  }
  const wanted = entries.filter(({ name }) => !isLeftOut(name))
  const files = wanted.filter((entry) => !entry.isDirectory())
  const below = (name: string) => (path === '' ? name : `${path}/${name}`)
  for (const { name } of files) noteName(scan, below(name))
  for (let at = 0; at < files.length; at += atOnce) {
    const looks = files.slice(at, at + atOnce).map((entry) => suspectIn(scan, below(entry.name), entry))
    for (const suspect of await Promise.all(looks)) if (suspect !== null) scan.suspects.push(suspect)
  }
  return wanted.filter((entry) => entry.isDirectory()).map(({ name }) => below(name))
}

async function list(scan: Running, path: string): Promise<Dirent[]> {
  try {
    return await readdir(join(scan.folder, path), { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'ENAMETOOLONG') throw error
    scan.suspects.push({ path: path === '' ? '.' : path, why: 'cannot be read' })
    return []
  }
}

/** A `.git`, however spelled, or what git takes for a repository without one. */
function isRepository(names: readonly string[]): boolean {
  return names.some((name) => name.toLowerCase() === '.git')
}

function isLeftOut(name: string): boolean {
  return name === '.git' || NEVER_COMMITTED.includes(name) || name.startsWith(OURS)
}

/** Files looked at together. */
const atOnce = 64

async function suspectIn({ folder }: Running, path: string, entry: Dirent): Promise<Suspect | null> {
  if (!entry.isFile() || path.includes('\ufffd')) return null
  const { size, mode } = await lstat(join(folder, path))
  if (size > maxFileBytes) return { path, why: `has more than ${maxFileBytes / 1024 ** 2} MB` }
  return (mode & 0o400) === 0 && process.getuid?.() !== 0 ? { path, why: 'cannot be read' } : null
}

function noteName(scan: Running, path: string): void {
  if (path === '.gitattributes' || path.endsWith('/.gitattributes')) scan.hasAttributes = true
  const lower = path.toLowerCase()
  const other = scan.spellings.get(lower)
  if (other === undefined) scan.spellings.set(lower, path)
  else scan.clashes.set(lower, [...(scan.clashes.get(lower) ?? [other]), path])
}
