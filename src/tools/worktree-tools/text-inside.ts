import type { FileHandle } from 'node:fs/promises'
import { Failure } from '../../contracts/failures.js'
import { openInside } from './open-inside.js'

/** Bytes of the largest file that agents are shown or may write through us. */
export const maxFileBytes = 1024 * 1024

/** The text of a file of the worktree. Throws `Failure('Contract.Violated')`: outside, not there, no text, or larger than 1 MiB. */
export async function readInside(root: string, path: string): Promise<string> {
  const file = await openInside(root, path, 'read')
  try {
    return textOf(await readAll(file, path), path)
  } finally {
    await file.close()
  }
}

/** Replaces a file's text, in place so that its mode stays; makes it where it is not. Throws as `readInside`. */
export async function writeInside(root: string, path: string, text: string): Promise<void> {
  if (Buffer.byteLength(text) > maxFileBytes) throw refusal(path, `would be larger than ${maxFileBytes} bytes`)
  const file = await openInside(root, path, 'write')
  try {
    await file.truncate(0)
    await file.writeFile(text, 'utf8')
  } finally {
    await file.close()
  }
}

async function readAll(file: FileHandle, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let total = 0
  while (total <= maxFileBytes) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(65_536, maxFileBytes + 1 - total)))
    if (bytesRead === 0) return Buffer.concat(chunks)
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  throw refusal(path, `is larger than ${maxFileBytes} bytes`)
}

function textOf(bytes: Buffer, path: string): string {
  if (bytes.includes(0)) throw refusal(path, 'is not text')
  return bytes.toString('utf8')
}

function refusal(path: string, why: string): Failure {
  return new Failure('Contract.Violated', `${JSON.stringify(path.slice(0, 200))} ${why}`)
}
