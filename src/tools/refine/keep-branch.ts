import type { BranchOrder, KeptBranch } from '../../contracts/refine.js'
import { branchRef } from '../../rules/git/ref-names.js'
import { openMirror } from '../git/mirror.js'
import { moveBranch } from '../git/publish-ref.js'
import type { RefineBox } from './refine-box.js'

/** Gives the best round's commit a name in the run repository. Running it again changes nothing. */
export async function keepBranch({ run_id, repository, commit }: BranchOrder, { git }: RefineBox): Promise<KeptBranch> {
  const branch = branchRef({ run: run_id, name: 'best' })
  await moveBranch({ mirror: await openMirror(git, repository), ref: branch, expect: null, to: commit })
  return { branch }
}
