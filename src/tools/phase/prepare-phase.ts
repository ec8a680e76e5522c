import type { CommitId } from '../../contracts/git.js'
import type { PhaseProject, PreparePhaseOrder } from '../../contracts/phase-run.js'
import { projectContext, READ_FILES } from '../../rules/phase/project-context.js'
import { qualityOf } from '../../rules/quality.js'
import { barOf } from '../gates/commit-workspace.js'
import { type Mirror, openMirror } from '../git/mirror.js'
import { listTree, readBlob } from '../git/read-commit.js'
import type { PhaseBox } from './phase-box.js'

/** What the base commit says of the project: its stack for the prompts, and the bar its gates set. */
export async function preparePhase(order: PreparePhaseOrder, { git }: PhaseBox): Promise<PhaseProject> {
  const { repository, base, quality } = order
  const mirror = await openMirror(git, repository)
  const { entries, isCut } = await listTree(mirror, base, MAX_ENTRIES)
  const paths = entries.filter(({ kind }) => kind !== 'submodule').map(({ path }) => path)
  const { config } = await barOf(mirror, base)
  return {
    quality: qualityOf(quality, config.quality),
    context: projectContext({
      paths,
      texts: await textsOf(mirror, base, isCut ? READ_FILES : READ_FILES.filter((path) => paths.includes(path))),
    }),
  }
}

const MAX_ENTRIES = 100_000

async function textsOf(mirror: Mirror, commit: CommitId, files: readonly string[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {}
  for (const path of files) {
    const blob = await readBlob(mirror, { commit, path, maxBytes: 64_000 })
    if (blob.status === 'read') texts[path] = blob.bytes.toString('utf8')
  }
  return texts
}
