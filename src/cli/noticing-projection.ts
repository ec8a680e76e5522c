import type { Projection } from '../tools/case-folder/project-files.js'

/** A projection that tells when a file had to be written again though the run had not changed it: somebody took it away, or broke it. */
export function noticingProjection(inner: Projection, onRewritten: (path: string) => void): Projection {
  const last = new Map<string, string>()
  return {
    write: async (files) => {
      const written = await inner.write(files)
      for (const file of files) {
        if (!('artifact' in file)) continue
        const { sha256 } = file.artifact
        if (last.get(file.path) === sha256 && written.includes(file.path)) onRewritten(file.path)
        last.set(file.path, sha256)
      }
      return written
    },
  }
}
