import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type CaseCommand, SourceLanguage } from '../../contracts/circt.js'
import { Failure } from '../../contracts/failures.js'
import { type FileRule, readCaseFile, readCaseFileIfThere } from './case-file.js'
import { type EarlierRun, readEarlierRun } from './earlier-run.js'
import { systemReason } from './system-reason.js'

/** A case as the user's folder holds it. */
export interface CaseFolder {
  /** Absolute. */
  path: string
  source: { name: string; language: SourceLanguage; content: Buffer }
  error: { name: string; content: Buffer }
  command: FolderCommand
  /** What status.json says of an earlier run, or null. */
  earlier: EarlierRun | null
}

/** What the folder itself says of the command: a line a person wrote, the one an earlier run used, or nothing. */
export type FolderCommand = { line: string } | { command: CaseCommand } | null

/**
 * Reads the input of the circt pipeline: exactly one `source.{sv,fir,mlir}` and `error.txt`. Throws `Failure('Case.Incomplete')` or
 * `Failure('Contract.Violated')` with one line that names the file and what was expected. Writes nothing.
 */
export async function readCaseFolder(path: string): Promise<CaseFolder> {
  const names = await listFolder(path)
  const source = sourceName(names)
  const content = await readCaseFile(path, source.name, SOURCE_RULE)
  const error = await readCaseFile(path, ERROR_FILE, ERROR_RULE)
  const earlier = await readEarlierRun(path)
  return {
    path,
    source: { ...source, content },
    error: { name: ERROR_FILE, content: error },
    command: await folderCommand(path, earlier),
    earlier,
  }
}

export const ERROR_FILE = 'error.txt'
export const SOURCE_RULE: FileRule = { maxBytes: 10_000_000, mayBeEmpty: false, isText: true }
export const ERROR_RULE: FileRule = { maxBytes: 20_000_000, mayBeEmpty: true, isText: true }
const COMMAND_RULE: FileRule = { maxBytes: 1_000_000, mayBeEmpty: true, isText: true }

async function listFolder(path: string): Promise<string[]> {
  const what = `CASE_DIR: expected a folder with source.{sv,fir,mlir} and error.txt`
  try {
    if (!(await stat(path)).isDirectory())
      throw new Failure('Contract.Violated', `${what}, got a file: ${basename(path)}`)
    return await readdir(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('Contract.Violated', `${what}, got "${basename(path)}": ${systemReason(error).reason}`, {
      cause: error,
    })
  }
}

function sourceName(names: readonly string[]): { name: string; language: SourceLanguage } {
  const found = SourceLanguage.options.filter((language) => names.includes(`source.${language}`))
  const [language] = found
  if (language !== undefined && found.length === 1) return { name: `source.${language}`, language }
  const expected = 'source: expected exactly one of source.sv, source.fir, source.mlir in the case folder'
  if (language === undefined) throw new Failure('Case.Incomplete', `${expected}, got none of them`)
  const came = found.map((each) => `source.${each}`).join(' and ')
  throw new Failure('Contract.Violated', `${expected}, got ${came}`)
}

/** `command.txt` is input when a person wrote it and output when a run did; the user's own is then kept beside it. */
async function folderCommand(path: string, earlier: EarlierRun | null): Promise<FolderCommand> {
  const present = await readCaseFileIfThere(path, COMMAND_FILE, COMMAND_RULE)
  const isOurs = present !== null && earlier?.hashes.get(COMMAND_FILE) === sha256(present)
  const written = isOurs ? await readCaseFileIfThere(path, ORIGINAL_COMMAND_FILE, COMMAND_RULE) : present
  const line = written?.toString('utf8').trim() ?? ''
  if (line !== '') return { line: oneLine(line) }
  const used = earlier?.command ?? null
  return used === null ? null : { command: used }
}

export const COMMAND_FILE = 'command.txt'
/** Where a person's own command.txt goes when a run has to write that file. */
export const ORIGINAL_COMMAND_FILE = 'command.txt.orig'

function oneLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.length === 1 && lines[0] !== undefined) return lines[0].trim()
  throw new Failure('Contract.Violated', `${COMMAND_FILE}: expected one line with the command, got ${lines.length}`)
}

export function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
