import type { RepositoryRef } from '../contracts/git.js'
import type { FoundRun } from './find-run.js'
import { bounded, CALL_MS, type Session } from './session.js'

/** The repository that a run works in, or null for a run without one. */
export async function repositoryOfRun(session: Session, { handle }: FoundRun): Promise<RepositoryRef | null> {
  const { memo } = await bounded(session, CALL_MS, () => handle.describe())
  const url = memo?.['repository']
  return typeof url === 'string' ? { url } : null
}
