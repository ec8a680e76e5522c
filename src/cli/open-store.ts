import { Failure } from '../contracts/failures.js'
import type { ArtifactStore } from '../contracts/store.js'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { mistake } from './cli-error.js'

/** Opens the artifact store in a folder of this machine. Throws as `onOwnDisk` does, and a mistake when there can be no such folder. */
export async function openStore(path: string): Promise<ArtifactStore> {
  const { openLocalStore } = await import('../tools/artifacts/local-store.js')
  try {
    return await onOwnDisk(() => openLocalStore(path))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw mistake(
      'store',
      'a folder that this user may make and write',
      `${JSON.stringify(path)}: ${systemReason(error).reason}`,
    )
  }
}

/** The store is on the person's own disk: when that is full, it is theirs to mend, and a worker's failure is not meant. */
export async function onOwnDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Tool.Failed') throw error
    throw new Failure('Contract.Violated', `store: expected some free space in its folder, but ${error.message}`, {
      cause: error,
    })
  }
}
