import { constants } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { codeOf } from '../process/error-code.js'

/**
 * Reads a regular file of at most `maxBytes`. Throws `Failure('Case.Incomplete')`, one line, when it is not there, is something
 * else (a folder, a device, a pipe, links in a circle), may not be read or is larger.
 * @param label how the line names the file; its last part by default, because the whole path belongs to the user's machine
 */
export async function readBounded(path: string, maxBytes: number, label: string = basename(path)): Promise<Buffer> {
  try {
    // Asked before opening: opening a device may already do something.
    if (!(await stat(path)).isFile()) throw incomplete(label, 'expected a regular file')
    // A pipe put there since would make a plain open wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return await readUpTo(file, maxBytes, label)
    } finally {
      await file.close()
    }
  } catch (error) {
    const words = plainWords[codeOf(error) ?? '']
    throw words === undefined ? error : incomplete(label, words, error)
  }
}

async function readUpTo(file: FileHandle, maxBytes: number, label: string): Promise<Buffer> {
  const stats = await file.stat()
  if (!stats.isFile()) throw incomplete(label, 'expected a regular file')
  if (stats.size > maxBytes) throw tooLarge(label, maxBytes)
  // Files of /proc say 0 and files grow, so one byte more than allowed is asked for.
  const chunks: Buffer[] = []
  let total = 0
  while (total <= maxBytes) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, maxBytes + 1 - total)))
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  throw tooLarge(label, maxBytes)
}

function tooLarge(label: string, maxBytes: number): Failure {
  return incomplete(label, `expected at most ${maxBytes} bytes`)
}

const plainWords: Readonly<Record<string, string>> = {
  ENOENT: 'not found',
  ENOTDIR: 'not found',
  EACCES: 'cannot be read (permission denied)',
  EPERM: 'cannot be read (permission denied)',
  ELOOP: 'links that lead in a circle',
  ENXIO: 'expected a regular file',
  ENAMETOOLONG: 'the name is too long',
}

function incomplete(label: string, why: string, cause?: unknown): Failure {
  return new Failure('Case.Incomplete', `${label}: ${why}`, { cause })
}
