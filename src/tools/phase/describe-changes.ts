import type { DescribeChangesOrder, DescribedChanges } from '../../contracts/phase-run.js'
import { together } from '../../rules/together.js'
import { ensureCommit, openMirror } from '../git/mirror.js'
import { changedFiles, diffText } from '../git/read-diff.js'
import type { PhaseBox } from './phase-box.js'

/** What differs between two commits, for a reviewer or a person to look at. */
export async function describeChanges(
  order: DescribeChangesOrder,
  { git, store }: PhaseBox,
): Promise<DescribedChanges> {
  const { repository, from, to, name } = order
  const mirror = await openMirror(git, repository)
  for (const commit of [from, to]) await ensureCommit(mirror, commit)
  const [{ changes, misfits }, { text, isCut }] = await together(
    changedFiles(mirror, from, to),
    diffText(mirror, { from, to, maxBytes: MAX_DIFF_BYTES }),
  )
  const note = isCut ? '\n[the diff goes on; read the files]\n' : ''
  return {
    changes: changes.slice(0, 100),
    changed_files: changes.length + misfits.length,
    diff: await store.put(name, `${text}${note}`, 'text/x-diff'),
  }
}

const MAX_DIFF_BYTES = 1_000_000
