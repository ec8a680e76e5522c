import type { FileChange } from '../../contracts/git.js'
import { fitPath } from './fit-path.js'

/** A changed file as git tells it, with what the rules about links and nested repositories need. */
export interface RawChange {
  change: FileChange
  /** File type and permissions after the change, octal: '120000' is a link, '160000' another repository, '000000' gone. */
  mode: string
  oldMode: string
  /** Id of the content after the change; zeros for none. */
  blob: string
}

export interface RawChanges {
  changes: readonly RawChange[]
  /** Names that cannot travel (see `fitPath`), as JSON strings for people. */
  misfits: readonly string[]
}

/**
 * Reads what `git diff --raw --numstat -z` writes. Takes bytes, because a name may be no text at all. Throws `Error` for
 * anything that git does not write.
 */
export function readDiffOutput(output: Uint8Array): RawChanges {
  const fields = fieldsOf(output)
  const changes: Entry[] = []
  let at = 0
  for (let head = latin1(fields[at]); head.startsWith(':'); head = latin1(fields[at])) {
    const entry = entryOf(head, fields, at)
    changes.push(entry)
    at += entry.names.length + 1
  }
  const counts = countsOf(fields, at)
  if (counts.length !== changes.length) throw new Error(`git lists ${changes.length} files and counts ${counts.length}`)
  return split(changes.map((entry, index) => ({ ...entry, counts: counts[index] ?? [null, null] })))
}

/** Names of the paths of `git diff --raw -z` against nothing: what a commit holds. */
export function readTreeOutput(output: Uint8Array): { path: string | null; mode: string; blob: string }[] {
  const fields = fieldsOf(output)
  const entries: { path: string | null; mode: string; blob: string }[] = []
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const { mode, blob, names } = entryOf(latin1(fields[at]), fields, at)
    entries.push({ path: names[0] === undefined ? null : fitPath(names[0]).path, mode, blob })
  }
  return entries
}

interface Entry {
  action: FileChange['action']
  mode: string
  oldMode: string
  blob: string
  names: readonly Uint8Array[]
}

type Counts = readonly [number | null, number | null]

function fieldsOf(output: Uint8Array): Uint8Array[] {
  const fields: Uint8Array[] = []
  let start = 0
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    fields.push(output.subarray(start, end))
    start = end + 1
  }
  if (start !== output.length) throw new Error('expected output of git that ends with a zero byte')
  return fields
}

function entryOf(head: string, fields: readonly Uint8Array[], at: number): Entry {
  const [, oldMode = '', mode = '', blob = '', letter = ''] =
    /^:(\d{6}) (\d{6}) [0-9a-f]+ ([0-9a-f]+) ([A-Z])\d*$/.exec(head) ?? []
  const action = ACTIONS[letter]
  const names = fields.slice(at + 1, at + (action === 'rename' ? 3 : 2))
  if (action === undefined || names.length === 0) throw new Error(`expected a change of a file, got ${head}`)
  return { action, mode, oldMode, blob, names }
}

const ACTIONS: Readonly<Record<string, FileChange['action']>> = {
  A: 'create',
  M: 'modify',
  // A file that became a link, or the other way round.
  T: 'modify',
  D: 'delete',
  R: 'rename',
}

function countsOf(fields: readonly Uint8Array[], from: number): Counts[] {
  const counts: Counts[] = []
  for (let at = from; at < fields.length; at++) {
    const [, added, deleted, name] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(latin1(fields[at])) ?? []
    if (added === undefined || deleted === undefined) throw new Error('expected counts of lines')
    // Of a rename the two names follow by themselves.
    if (name === '') at += 2
    counts.push([countOf(added), countOf(deleted)])
  }
  return counts
}

function countOf(word: string): number | null {
  return word === '-' ? null : Number(word)
}

function split(entries: readonly (Entry & { counts: Counts })[]): RawChanges {
  const changes: RawChange[] = []
  const misfits: string[] = []
  for (const { action, mode, oldMode, blob, names, counts } of entries) {
    const [first, last] = [names[0], names.at(-1)].map((name) => fitPath(name ?? new Uint8Array()))
    const misfit = [first, last].find((each) => each?.path === null)
    if (misfit !== undefined) misfits.push(misfit.shown)
    if (misfit !== undefined || first?.path == null || last?.path == null) continue
    const [lines_added, lines_deleted] = counts
    const old = action === 'rename' ? { old_path: first.path } : {}
    changes.push({ change: { action, path: last.path, ...old, lines_added, lines_deleted }, mode, oldMode, blob })
  }
  return { changes, misfits }
}

/** A byte a character: what git itself writes is ASCII, and names are cut out by their bytes. */
function latin1(bytes: Uint8Array | undefined): string {
  return new TextDecoder('latin1').decode(bytes)
}
