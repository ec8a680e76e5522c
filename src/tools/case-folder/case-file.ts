import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { systemReason } from './system-reason.js'

/** What a file that a person hands us must be. */
export interface FileRule {
  /** Largest size that is read at all. */
  maxBytes: number
  mayBeEmpty: boolean
  /** True refuses NUL bytes: no text holds them. */
  isText: boolean
}

/**
 * Reads one file of the user's folder, whole. Throws `Failure('Contract.Violated')` (`Case.Incomplete` when it is not there) with one line
 * that names the file: it leads out of the folder, is no regular file, cannot be read, is too big, empty or binary.
 */
export async function readCaseFile(folder: string, name: string, rule: FileRule): Promise<Buffer> {
  const path = await insidePath(folder, name)
  const file = await openPlainly(path, name)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw violation(`${name}: expected a regular file, got ${kindOf(stats)}`)
    if (stats.size > rule.maxBytes) throw tooBig(name, stats.size, rule)
    return checkContent(name, await readBounded(file, rule.maxBytes), rule)
  } finally {
    await file.close()
  }
}

/** As `readCaseFile`, but null when the file is not there. */
export async function readCaseFileIfThere(folder: string, name: string, rule: FileRule): Promise<Buffer | null> {
  try {
    return await readCaseFile(folder, name, rule)
  } catch (error) {
    if (error instanceof Failure && error.type === 'Case.Incomplete') return null
    throw error
  }
}

async function insidePath(folder: string, name: string): Promise<string> {
  try {
    const root = await realpath(folder)
    const path = await realpath(join(root, name))
    if (path.startsWith(root === sep ? sep : root + sep)) return path
  } catch (error) {
    throw unreadable(name, error)
  }
  throw violation(`${name}: expected a file in the case folder, got a link out of it`)
}

/** Non-blocking, so that a named pipe with no writer does not hold us for ever. */
async function openPlainly(path: string, name: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    throw unreadable(name, error)
  }
}

/** One byte past the limit tells a file that grew meanwhile. */
async function readBounded(file: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  while (length <= maxBytes) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK, maxBytes + 1 - length)))
    if (bytesRead === 0) break
    chunks.push(buffer.subarray(0, bytesRead))
    length += bytesRead
  }
  return Buffer.concat(chunks)
}

const CHUNK = 1 << 18

function checkContent(name: string, content: Buffer, rule: FileRule): Buffer {
  if (content.length > rule.maxBytes) throw tooBig(name, content.length, rule)
  if (content.length === 0 && !rule.mayBeEmpty) throw violation(`${name}: expected some text, got an empty file`)
  const nul = rule.isText ? content.indexOf(0) : -1
  if (nul >= 0) throw violation(`${name}: expected text, got binary data (a NUL byte at offset ${nul})`)
  if (!rule.mayBeEmpty && content.toString('latin1').trim() === '') {
    throw violation(`${name}: expected some text, got white space only`)
  }
  return content
}

function tooBig(name: string, bytes: number, { maxBytes }: FileRule): Failure {
  return violation(`${name}: expected at most ${megabytes(maxBytes)} MB, got ${megabytes(bytes)} MB`)
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1).replace(/\.0$/, '')
}

function kindOf(stats: { isDirectory(): boolean; isFIFO(): boolean }): string {
  return stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a named pipe' : 'something else'
}

function unreadable(name: string, error: unknown): Failure {
  const { code, reason } = systemReason(error)
  if (code === 'ENOENT') return new Failure('Case.Incomplete', `${name}: expected a file, got nothing by this name`)
  return new Failure('Contract.Violated', `${name}: expected a readable file, ${reason}`, { cause: error })
}

function violation(message: string): Failure {
  return new Failure('Contract.Violated', message)
}
