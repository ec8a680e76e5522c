import type { DetectedTechStack, DetectOrder } from '../../contracts/refine.js'
import { detectTechStack, manifestsAmong } from '../../rules/refine/detect-tech-stack.js'
import { openMirror } from '../git/mirror.js'
import { listTree, readBlob } from '../git/read-commit.js'
import type { RefineBox } from './refine-box.js'

/** What a commit is written in and with; null when its files do not say. */
export async function lookAtRepository(order: DetectOrder, { git }: RefineBox): Promise<DetectedTechStack> {
  const { repository, commit } = order
  const mirror = await openMirror(git, repository)
  const { entries } = await listTree(mirror, commit)
  const paths = entries.filter(({ kind }) => kind === 'file').map(({ path }) => path)
  const manifests = new Map<string, string>()
  for (const path of manifestsAmong(paths)) {
    const blob = await readBlob(mirror, { commit, path, maxBytes: MAX_MANIFEST_BYTES })
    if (blob.status === 'read') manifests.set(path, blob.bytes.toString('utf8'))
  }
  return { tech_stack: detectTechStack({ paths, manifests }) }
}

const MAX_MANIFEST_BYTES = 500_000
