import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { RelativePath } from '../contracts/artifact.js'
import { Failure } from '../contracts/failures.js'
import type { ArtifactStore } from '../contracts/store.js'
import { readBounded } from '../tools/folder/read-bounded.js'
import { codeOf } from '../tools/process/error-code.js'
import type { Look } from './role.js'

/** Bytes of one file or artifact in a prompt. */
const MAX_BYTES = 256 * 1024
/** Files above this are not looked at. */
const MAX_FILE_BYTES = 16 * 1024 ** 2

/** What a prompt may look at: files of the attempt's folder, never by a link out of it, and artifacts. */
export function lookInto(folder: string, store: ArtifactStore): Look {
  return {
    file: (path) => fileText(folder, path),
    artifact: async (artifact) => cut((await store.get(artifact)).toString('utf8')),
    whole: async (artifact) => (await store.get(artifact)).toString('utf8'),
  }
}

async function fileText(folder: string, path: string): Promise<string | null> {
  if (!RelativePath.safeParse(path).success) return null
  try {
    const root = await realpath(folder)
    const real = await realpath(`${root}${sep}${path}`)
    if (!real.startsWith(`${root}${sep}`)) return null
    const bytes = await readBounded(real, MAX_FILE_BYTES, path)
    return bytes.includes(0) ? null : cut(bytes.toString('utf8'))
  } catch (error) {
    const isUnreadable = error instanceof Failure && error.type === 'Case.Incomplete'
    if (isUnreadable || ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes(codeOf(error) ?? ''))
      return null
    throw error
  }
}

function cut(text: string): string {
  if (text.length <= MAX_BYTES) return text
  return `${text.slice(0, MAX_BYTES)}\n[${text.length - MAX_BYTES} characters left out]`
}
