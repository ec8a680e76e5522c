import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import type { ProjectedFile } from '../../contracts/run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { writeWhole } from '../folder/write-whole.js'
import { editFile } from '../openspec/edit-file.js'
import { readCaseFileIfThere } from './case-file.js'
import { type EarlierRun, STATUS_FILE } from './earlier-run.js'
import { COMMAND_FILE, ERROR_FILE, ORIGINAL_COMMAND_FILE, sha256 } from './read-case-folder.js'
import { systemReason } from './system-reason.js'

/** The user's folder as a place to write a run's files to. Remembers what it wrote, so that it looks again only where something changed. */
export interface Projection {
  /** Writes what differs, each file whole; returns the names written. Throws `Failure('Contract.Violated')` when the folder takes no files. */
  write(files: readonly ProjectedFile[]): Promise<string[]>
}

/** @param onComplaint told once of every file of the person's that takes nothing of ours as it is */
export function openProjection(
  folder: string,
  store: ArtifactStore,
  onComplaint: (line: string) => void = () => undefined,
): Projection {
  const seen = new Map<string, string>()
  const said = new Set<string>()
  const complain = (line: string) => {
    if (!said.has(line)) onComplaint(line)
    said.add(line)
  }
  const write = async (files: readonly ProjectedFile[]) => {
    const written: string[] = []
    for (const file of inOrder(files)) {
      const isNew =
        'openspec' in file ? await edit(folder, file, complain) : await writeIfNew({ folder, store, seen }, file)
      if (isNew) written.push(file.path)
    }
    return written
  }
  return { write }
}

/** Finds out before a start whether the folder takes files at all. Leaves nothing behind but a changed folder time. */
export async function checkWritable(folder: string): Promise<void> {
  const probe = `.gauntlet-probe-${process.pid}`
  try {
    await inFolder(() => writeWhole(folder, probe, 'x'.repeat(PROBE_BYTES)))
  } finally {
    await rm(join(folder, probe), { force: true })
  }
}

const PROBE_BYTES = 16_384

/**
 * Before a run's first files: puts command.txt back as a person wrote it, or away when nobody did, where an earlier run (not `runId`) left its own.
 * So what stands in it is always either a person's or this run's.
 */
export async function putCommandBack(folder: string, earlier: EarlierRun | null, runId: string): Promise<void> {
  if (earlier === null || earlier.runId === runId) return
  const present = await readCaseFileIfThere(folder, COMMAND_FILE, COMMAND_COPY)
  if (present === null || earlier.hashes.get(COMMAND_FILE) !== sha256(present)) return
  const original = await readCaseFileIfThere(folder, ORIGINAL_COMMAND_FILE, COMMAND_COPY)
  await inFolder(async () => {
    if (original === null) await rm(join(folder, COMMAND_FILE), { force: true })
    else await writeWhole(folder, COMMAND_FILE, original)
  })
}

const COMMAND_COPY = { maxBytes: 1_000_000, mayBeEmpty: true, isText: false }

/**
 * command.txt is both: a person's input and our output. It is written after status.json, which then names its hash; so whatever moment we are
 * killed at, a command.txt that status.json does not name is a person's.
 */
function inOrder(files: readonly ProjectedFile[]): ProjectedFile[] {
  const rank = (path: string) => (path === COMMAND_FILE ? 2 : path === STATUS_FILE ? 1 : 0)
  return files.filter((file) => isOutput(file.path)).sort((a, b) => rank(a.path) - rank(b.path))
}

/** A run never writes over its inputs, whatever its state says. */
function isOutput(path: string): boolean {
  return RelativePath.safeParse(path).success && path !== ERROR_FILE && !/^source\.[a-z]+$/.test(path)
}

type PersonsFile = Extract<ProjectedFile, { openspec: unknown }>

async function edit(
  folder: string,
  { path, openspec }: PersonsFile,
  complain: (line: string) => void,
): Promise<boolean> {
  const { outcome, complaint } = await inFolder(() => editFile(folder, path, openspec))
  if (complaint !== null) complain(complaint)
  return outcome === 'written'
}

interface Place {
  folder: string
  store: ArtifactStore
  /** By path: hash, time and size of what was last seen there. */
  seen: Map<string, string>
}

async function writeIfNew({ folder, store, seen }: Place, file: Exclude<ProjectedFile, PersonsFile>): Promise<boolean> {
  const hash = 'artifact' in file ? file.artifact.sha256 : sha256(Buffer.from(file.text))
  if (seen.get(file.path) === `${hash} ${await stampOf(folder, file.path)}`) return false
  const content = 'artifact' in file ? await store.get(file.artifact) : file.text
  const outcome = await inFolder(async () => {
    if (file.path === COMMAND_FILE) await keepOriginal(folder, hash)
    return await writeWhole(folder, file.path, content)
  })
  seen.set(file.path, `${hash} ${await stampOf(folder, file.path)}`)
  return outcome === 'written'
}

async function stampOf(folder: string, path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await lstat(join(folder, path))
    return `${mtimeMs} ${size} ${ino}`
  } catch (error) {
    return systemReason(error).code
  }
}

/** What stands there and is not this run's is a person's (see `putCommandBack`): it is copied before ours takes its place. */
async function keepOriginal(folder: string, hash: string): Promise<void> {
  const present = await readCaseFileIfThere(folder, COMMAND_FILE, COMMAND_COPY)
  if (present !== null && sha256(present) !== hash) await writeWhole(folder, ORIGINAL_COMMAND_FILE, present)
}

/** A folder that takes no files is the person's to mend, not a failure of the engine. */
async function inFolder<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Failure('Contract.Violated', `case folder: expected to write in it, but ${reasonOf(error)}`, {
      cause: error,
    })
  }
}

/** The system's own reason where there is one: the name of a temporary file would say nothing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Failure)) return systemReason(error).reason
  return error.cause === undefined ? error.message : systemReason(error.cause).reason
}
