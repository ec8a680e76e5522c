import { closeSync, openSync, readSync } from 'node:fs'

/** The first `bytes` of a file at most, byte by byte. */
export function firstText(path: string, bytes: number): string {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(bytes)
    return start.toString('latin1', 0, readSync(file, start))
  } finally {
    closeSync(file)
  }
}
