import type { ReviewFile } from '../../contracts/review-part.js'

/** The files under review, found by the ways in which reviewers name them. */
export interface ReviewScope {
  fileOf(name: string): ReviewFile | null
}

/** Deleted files are in no scope: nothing of them is left to quote. A renamed file is found by its old name, too. */
export function reviewScope(files: readonly ReviewFile[], workingDirectory: string): ReviewScope {
  const byPath = new Map<string, ReviewFile>()
  const open = files.filter(({ status }) => status !== 'deleted')
  for (const file of open) if (file.status === 'renamed' && file.old_path !== null) byPath.set(file.old_path, file)
  for (const file of open) byPath.set(file.path, file)
  const root = `${workingDirectory.replaceAll('\\', '/').replace(/\/+$/, '')}/`
  return {
    fileOf: (name) => {
      for (const path of namings(name.trim(), root)) {
        const file = byPath.get(path)
        if (file !== undefined) return file
      }
      return null
    },
  }
}

/** As it stands; then below the working directory, from its root, without the prefixes of a diff. */
function namings(name: string, root: string): string[] {
  const slashed = name.replaceAll('\\', '/')
  const inside = slashed.startsWith(root) ? slashed.slice(root.length) : slashed.replace(/^\/+/, '')
  const plain = inside.replace(/^(?:\.\/)+/, '')
  return [name, inside, plain, plain.replace(/^[ab]\//, '')]
}
