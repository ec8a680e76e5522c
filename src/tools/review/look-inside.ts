import { realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { RelativePath } from '../../contracts/artifact.js'
import { Failure } from '../../contracts/failures.js'
import { readBounded } from '../folder/read-bounded.js'
import { codeOf } from '../process/error-code.js'

const MOST_BYTES = 2_000_000

/** A file's text, or why there is none. */
export type LookedInside = { text: string } | { reason: string }

/** Looks at a file in a folder, never by a link out of it. */
export async function lookInside(folder: string, path: string): Promise<LookedInside> {
  if (!RelativePath.safeParse(path).success) return { reason: 'outside' }
  try {
    const root = await realpath(folder)
    const real = await realpath(join(root, path))
    if (!real.startsWith(`${root}${sep}`)) return { reason: 'a link that leads outside' }
    const bytes = await readBounded(real, MOST_BYTES, path)
    return bytes.includes(0) ? { reason: 'binary' } : { text: bytes.toString('utf8') }
  } catch (error) {
    if (error instanceof Failure) return { reason: error.message.replace(`${path}: `, '') }
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error) ?? '')) return { reason: 'not there' }
    throw error
  }
}
