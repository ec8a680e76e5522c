import { Failure } from '../../contracts/failures.js'
import type { ReviewFile } from '../../contracts/review-part.js'
import { applyHunks, unapplyHunks } from '../../rules/review/apply-hunks.js'
import { type DiffFile, parseDiff } from '../../rules/review/diff.js'
import { SUPPRESSIONS_FILE } from '../../rules/review/suppressions.js'
import { type Collected, leftOut } from './collect-change.js'
import { parseSuppressions } from './parse-suppressions.js'
import { readTextInside } from './read-text-inside.js'

/**
 * Reads a patch file. Both versions of a file are known where it lies in `folder`, before or after the patch; else what the patch shows is all
 * there is. Throws `Failure('Contract.Violated')` when nothing of it can be read.
 */
export async function collectPatch(patch: string, folder: string): Promise<Collected> {
  const { files, problems } = parseDiff(patch)
  const [first] = problems
  if (files.length === 0 && first !== undefined) {
    throw new Failure('Contract.Violated', `--patch: line ${first.line}: ${first.message}`)
  }
  if (files.length === 0 && patch.trim() !== '') {
    throw new Failure('Contract.Violated', '--patch: expected a unified diff, got a text without one')
  }
  const readable = files.filter((each) => !each.isBinary && !each.isSubmodule)
  const sources: ReviewFile[] = []
  for (const file of readable) sources.push(await fileOf(file, folder))
  return {
    sources: {
      review_type: 'diff',
      files: sources,
      left_out: [
        ...files.flatMap(leftOut),
        ...problems.map(({ line, message }) => ({ path: `line ${line} of the patch`, reason: message })),
      ],
      suppressions: parseSuppressions(await readTextInside(folder, SUPPRESSIONS_FILE)),
    },
    content: { diff_content: patch, files_changed: files.map(({ path }) => path) },
  }
}

async function fileOf({ path, oldPath, status, hunks }: DiffFile, folder: string): Promise<ReviewFile> {
  const file = { path, old_path: oldPath, status, hunks, text: null, before: null }
  if (status === 'added') return { ...file, text: applyHunks('', hunks) }
  const after = status === 'deleted' ? null : await readTextInside(folder, path)
  const undone = after === null ? null : unapplyHunks(after, hunks)
  if (undone !== null) return { ...file, text: after, before: undone }
  const before = await readTextInside(folder, oldPath ?? path)
  const done = before === null ? null : applyHunks(before, hunks)
  return done === null ? file : { ...file, text: done, before }
}
