import { Failure } from '../../contracts/failures.js'
import { type ReviewFile, ReviewSources } from '../../contracts/review-part.js'
import type { LeftOut, ReviewCoverage } from '../../contracts/review-report.js'
import type { SplitOrder, SplitReply } from '../../contracts/review-run.js'
import type { ArtifactStore } from '../../contracts/store.js'
import { isLockFile } from '../../rules/review/file-kinds.js'
import { splitReview } from '../../rules/review/split-review.js'
import { readDocument, writeDocument } from './review-store.js'

/** Cuts what is under review into parts, each an artifact, and says what is left out. */
export async function splitSources(
  { sources, part_tokens }: SplitOrder,
  { store }: { store: ArtifactStore },
): Promise<SplitReply> {
  const { files, left_out, review_type } = await readDocument(store, ReviewSources, sources)
  const kept = files.filter((file) => reasonToLeave(file) === null)
  const split = splitReview(kept, part_tokens)
  if (split.parts.length > mostParts) {
    const message = `part_tokens: ${part_tokens} makes ${split.parts.length} parts, expected at most ${mostParts}; give more`
    throw new Failure('Contract.Violated', message)
  }
  const parts: string[] = []
  for (const [index, part] of split.parts.entries()) {
    const id = `p${index + 1}`
    parts.push((await writeDocument(store, `part-${id}.json`, { id, files: part })).sha256)
  }
  const left: LeftOut[] = [...left_out, ...files.flatMap(leftOut), ...split.left_out]
  const lines = kept.reduce((sum, file) => sum + linesOf(file), 0)
  const coverage: ReviewCoverage = {
    review_type,
    files: kept.length,
    lines,
    parts: parts.length,
    left_out: left,
    reviewers: [],
  }
  const { sha256 } = await writeDocument(store, 'coverage.json', coverage)
  return { parts, files: kept.length, lines, left_out: left.length, coverage: sha256 }
}

const mostParts = 300

function leftOut(file: ReviewFile): LeftOut[] {
  const reason = reasonToLeave(file)
  return reason === null ? [] : [{ path: file.path, reason }]
}

/** Null for what is reviewed. */
function reasonToLeave({ path, status, hunks }: ReviewFile): string | null {
  if (status === 'deleted') return 'deleted: nothing of it is left'
  if (isLockFile(path)) return 'a lock file'
  return status !== 'given' && hunks.length === 0 ? 'no line of it changed' : null
}

function linesOf({ status, hunks, text }: ReviewFile): number {
  if (status === 'given') return text?.replace(/\n$/, '').split('\n').length ?? 0
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith('+')).length, 0)
}
