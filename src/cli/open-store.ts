import { Failure } from '../contracts/failures.js'
import type { ArtifactStore } from '../contracts/store.js'

/** Opens the artifact store in a folder of this machine. Throws as `onOwnDisk` does. */
export async function openStore(path: string): Promise<ArtifactStore> {
  const { openLocalStore } = await import('../tools/artifacts/local-store.js')
  return await onOwnDisk(() => openLocalStore(path))
}

/** The store is on the person's own disk: when that is full, it is theirs to mend, and a worker's failure is not meant. */
export async function onOwnDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Tool.Failed') throw error
    throw new Failure('Contract.Violated', `GAUNTLET_HOME: expected some free space, but ${error.message}`, {
      cause: error,
    })
  }
}
