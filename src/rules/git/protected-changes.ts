import type { FileChange } from '../../contracts/git.js'

/**
 * The changes that touch protected files (seed 001: the tester's, from the coder): changed, removed, renamed away or over. A
 * protected path that ends in a slash protects all below it.
 */
export function protectedChanges(
  changes: readonly FileChange[],
  protectedPaths: readonly string[],
): readonly FileChange[] {
  const files = new Set(protectedPaths)
  const folders = protectedPaths.filter((path) => path.endsWith('/'))
  const isProtected = (path: string) =>
    files.has(path) ||
    folders.some((folder) => path.startsWith(folder)) ||
    // A file in the place of a folder takes away what lay in it.
    protectedPaths.some((each) => each.startsWith(`${path}/`))
  return changes.filter(({ path, old_path }) => isProtected(path) || (old_path !== undefined && isProtected(old_path)))
}
