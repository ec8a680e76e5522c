import { mkdir } from 'node:fs/promises'
import { Failure } from '../contracts/failures.js'
import type { ProjectedFile } from '../contracts/run.js'
import type { Projection } from '../tools/case-folder/project-files.js'
import { systemReason } from '../tools/case-folder/system-reason.js'
import { codeOf } from '../tools/process/error-code.js'

export interface Noticing {
  /** Made again when it is gone. */
  folder: string
  /** What was written last had to be written again: somebody took it away, or broke it. */
  onRewritten: (path: string) => void
  /** Nothing can be written at the moment; told once for each reason. */
  onRefused: (reason: string) => void
}

/** A projection that nobody can disturb: it writes again what was lost or broken, and goes on without where it cannot. */
export function noticingProjection(inner: Projection, { folder, onRewritten, onRefused }: Noticing): Projection {
  let last: readonly ProjectedFile[] = []
  let refused = ''
  const write = async (files: readonly ProjectedFile[]) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const path of await inner.write(last)) onRewritten(path)
    last = files.filter((file) => 'artifact' in file)
    return await inner.write(files)
  }
  return {
    write: async (files) => {
      try {
        return await write(files)
      } catch (error) {
        const reason = reasonOf(error)
        if (reason === null) throw error
        if (reason !== refused) onRefused(reason)
        refused = reason
        return []
      }
    },
  }
}

/** Null for what is no trouble of the folder's. */
function reasonOf(error: unknown): string | null {
  if (error instanceof Failure) return error.message
  return codeOf(error) === null ? null : systemReason(error).reason
}
