import { lstat, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../../contracts/failures.js'
import { readBounded } from '../folder/read-bounded.js'
import { codeOf } from '../process/error-code.js'

/**
 * The text of a report that programs we do not trust wrote below `folder`, or null when there is none (or nothing in it). Never
 * follows a link: it could lead anywhere. Throws `Failure('Case.Incomplete')` when it is larger than 64 MB.
 */
export async function readReport(folder: string, path: string): Promise<string | null> {
  const text = (await readPlainFile(folder, path))?.toString('utf8')
  return text === undefined || text.trim() === '' ? null : text
}

/** The same for any file, byte for byte. */
export async function readPlainFile(folder: string, path: string): Promise<Buffer | null> {
  const file = join(folder, path)
  try {
    const parent = await realpath(dirname(file))
    const isPlain = (await lstat(file)).isFile() && parent === join(await realpath(folder), dirname(path))
    if (!isPlain) return null
    return await readBounded(file, maxReportBytes)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes(codeOf(error) ?? '')) return null
    if (error instanceof Failure && error.message.includes('not found')) return null
    throw error
  }
}

const maxReportBytes = 64 * 1024 ** 2
