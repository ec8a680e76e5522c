import type { ReviewScope } from '../../contracts/refine-answers.js'
import type { ChangeOrder, MeasuredChange } from '../../contracts/refine.js'
import { openMirror } from '../git/mirror.js'
import { changedFiles, diffText } from '../git/read-diff.js'
import type { RefineBox } from './refine-box.js'

/** What the reviewers of a round are to judge: the files that differ from where the work began, and the diff to read along. */
export async function measureChange(order: ChangeOrder, { git, store }: RefineBox): Promise<MeasuredChange> {
  const { round, repository, from, to } = order
  const mirror = await openMirror(git, repository)
  const { changes, misfits } = await changedFiles(mirror, from, to)
  const paths = changes.filter(({ action }) => action !== 'delete').map(({ path }) => path)
  const files = paths.slice(0, MAX_FILES)
  const scope: ReviewScope = {
    files,
    deleted: changes.length - paths.length,
    left_out: misfits.length + paths.length - files.length,
  }
  const { text, isCut } = await diffText(mirror, { from, to, maxBytes: MAX_DIFF_BYTES })
  const note = isCut ? '\n[the diff goes on; read the files]\n' : ''
  return {
    changed_files: changes.length,
    files: files.length,
    paths: files.slice(0, 20),
    scope: await store.put(`rounds/${round}/scope.json`, `${JSON.stringify(scope)}\n`, 'application/json'),
    diff: await store.put(`rounds/${round}/change.diff`, `${text}${note}`, 'text/x-diff'),
  }
}

const MAX_FILES = 5_000
/** A prompt shows at most 256 KB of one document. */
const MAX_DIFF_BYTES = 200_000
