import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OpenSpecEdit } from '../../contracts/openspec.js'
import { applyEdit } from '../../rules/openspec/apply-edit.js'
import { readBounded } from '../folder/read-bounded.js'
import { writeWhole } from '../folder/write-whole.js'
import { codeOf } from '../process/error-code.js'
import { decodeText } from './decode-text.js'

/** `complaint`: one line that begins with the path; the file is then as it was. */
export interface EditedFile {
  outcome: 'written' | 'unchanged'
  complaint: string | null
}

/**
 * Puts what a run wants into a file of a person's, whole and atomically; everything else in it stays byte for byte. A context.md that is not there is
 * made. Throws `Failure` where `writeWhole` does.
 * @param path below `folder`, with forward slashes
 */
export async function editFile(folder: string, path: string, edit: OpenSpecEdit): Promise<EditedFile> {
  const present = await textOf(folder, path)
  if ('complaint' in present) return { outcome: 'unchanged', complaint: `${path}: ${present.complaint}` }
  if (present.text === null && edit.kind === 'tick') return { outcome: 'unchanged', complaint: `${path}: not found` }
  const { text, complaint } = applyEdit(present.text ?? '', edit)
  if (complaint !== null) return { outcome: 'unchanged', complaint: `${path}: ${complaint}` }
  if (text === present.text) return { outcome: 'unchanged', complaint: null }
  return { outcome: await writeWhole(folder, path, text), complaint: null }
}

const maxBytes = 4_000_000

/** Null when there is no file yet. A link is not followed: it would be replaced by what it points at. */
async function textOf(folder: string, path: string): Promise<{ text: string | null } | { complaint: string }> {
  const file = join(folder, path)
  const stats = await lstat(file).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  })
  if (stats === null) return { text: null }
  if (!stats.isFile()) return { complaint: 'expected a plain file' }
  const text = decodeText(await readBounded(file, maxBytes, path))
  return text === null ? { complaint: 'expected UTF-8 text, got bytes that are none' } : { text }
}
