import type { ArtifactStore } from '../../contracts/store.js'
import type { Git } from '../git/git.js'

/** What the tools of the refine loop work with. */
export interface RefineBox {
  git: Git
  store: ArtifactStore
  /** A folder of this attempt's, empty. */
  scratch: string
}
